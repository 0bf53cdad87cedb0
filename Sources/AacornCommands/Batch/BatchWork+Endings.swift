import AacornRecording
import AacornSystem

extension BatchWork {
  /// The number by which a journal knows it: that of the output, of the settings, and of the input as it is.
  ///
  /// No file is read for it, not even one that the settings name: that may be what ends the program.
  var attemptNumber: UInt64 {
    func state(of path: String) -> String? {
      (try? System.status(of: path)).map { "\($0.size) \($0.modified)" }
    }
    let words = [settings.identity(digest: state), line.input, state(of: line.input) ?? ""]
    return ManifestLine.number(
      of: ManifestLine.plain(line.output) + words.flatMap { [0] + Array($0.utf8) })
  }

  /// What became of an input that was in work whenever the program ended, and is not tried any more; nil
  /// if it is done, or no file, of which trying tells more.
  ///
  /// It is not read: that may be what ends the program.
  func giveUp(afterEndings count: Int) -> LedgerEntry? {
    guard let status = try? System.status(of: line.input), status.kind == .file else { return nil }
    var entry = blankEntry
    entry.inputSize = status.size
    entry.inputTime = status.modified
    if isDone(entry) { return nil }
    entry.outcome = .failed
    entry.attemptCount = count
    entry.error = (
      LedgerEntry.endedProgram,
      "“\(displayed(line.input))” ended the program \(count) times: it was in work whenever that crashed "
        + "or was killed, and at last alone. It is passed over; --retry-failed tries it again."
    )
    keepKnownOutput(&entry)
    return entry
  }
}

extension LedgerEntry {
  /// The word for an input that has ended the program again and again.
  static let endedProgram = "ended-program"

  /// Whether nobody dares to read the input any more.
  var hasEndedProgram: Bool { outcome == .failed && error?.word == Self.endedProgram }
}
