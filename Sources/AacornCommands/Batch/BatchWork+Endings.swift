import AacornRecording
import AacornSystem

extension BatchWork {
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
