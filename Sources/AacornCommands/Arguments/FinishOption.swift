import AacornRecording

extension FileOutput.Finish {
  /// The values of the option --finish.
  static let choices = [Self.compact, .inPlace].map(\.rawValue)

  /// The help of the option.
  static let help =
    "Completion of an M4A file (default compact up to 64 MB, else in-place). compact: a copy with the "
    + "audio in one piece, which simple players need, replaces the file. in-place: no copy."
}
