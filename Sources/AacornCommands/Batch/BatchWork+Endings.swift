import AacornRecording
import AacornSystem

extension BatchWork {
  /// The number by which a journal knows it: that of the output, of the settings, and of the input as it is.
  ///
  /// No file is read for it, not even one that the settings name: that may be what ends the program.
  var attemptNumber: UInt64 {
    let words = [unreadSettings, line.input, Self.state(of: line.input) ?? ""]
    return ManifestLine.number(
      of: ManifestLine.plain(line.output) + words.flatMap { [0] + Array($0.utf8) })
  }

  /// The settings, with the sizes and times of files that they name in place of digests.
  private var unreadSettings: String { settings.identity(digest: Self.state) }

  private static func state(of path: String) -> String? {
    (try? System.status(of: path)).map { "\($0.size) \($0.modified)" }
  }

  /// What became of an input that was in work whenever the program ended, and is not tried any more; nil
  /// if it is done, or no file, of which trying tells more.
  ///
  /// Neither it nor a file that the settings name is read: that may be what ends the program.
  func giveUp(afterEndings count: Int) -> LedgerEntry? {
    guard let status = try? System.status(of: line.input), status.kind == .file else { return nil }
    var entry = blankEntry(identity: settings.identity(digest: digests.keptDigest))
    entry.inputSize = status.size
    entry.inputTime = status.modified
    if isDone(entry) { return nil }
    entry.settings = unreadSettings
    entry.outcome = .failed
    entry.attemptCount = count
    entry.error = (
      LedgerEntry.endedProgram,
      "“\(displayed(line.input))” crashed the program \(count) times, the last time while it was the only "
        + "file in work. It is skipped; --retry-failed retries it."
    )
    keepKnownOutput(&entry)
    return entry
  }

  /// Whether the ledger tells that the output was made of this input, which nobody seems to have changed,
  /// and it is there: whatever ended the program since, making it did not.
  ///
  /// Of a cover or effects that no other line had read before, that is not known.
  private func isDone(_ entry: LedgerEntry) -> Bool {
    guard let known, known.isMade else { return false }
    return isKnown(entry) && known.inputTime == entry.inputTime
      && (try? System.status(of: line.output))?.size == known.outputSize
  }

  /// What the ledger says of an input that has ended the program, as long as nothing has changed; nothing
  /// is read to know that.
  var standingVerdict: LedgerEntry? {
    guard let known, known.hasEndedProgram, !wishes.retriesFailed,
      let status = try? System.status(of: line.input)
    else { return nil }
    var entry = blankEntry(identity: unreadSettings)
    entry.inputSize = status.size
    return isKnown(entry) && known.inputTime == status.modified ? known : nil
  }
}

extension LedgerEntry {
  /// The word for an input that has ended the program again and again.
  static let endedProgram = "ended-program"

  /// Whether nobody dares to read the input any more.
  var hasEndedProgram: Bool { outcome == .failed && error?.word == Self.endedProgram }
}
