import AacornRecording

extension FileOutput.Finish {
  /// The values of the option --finish.
  static let choices = [Self.compact, .inPlace].map(\.rawValue)

  /// The help of the option.
  static let help =
    "How an M4A file is completed. compact: a copy with all sound in one piece, which simple players "
    + "need, takes its place. in-place: without a copy. The default is compact up to 64 MB."
}
