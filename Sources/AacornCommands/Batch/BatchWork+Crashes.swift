import AacornRecording
import AacornSystem

extension BatchWork {
  /// The key of the line in a journal, from the output, the settings and the state of the input.
  ///
  /// No file is read for it, not even a file that the settings name: reading may crash the program.
  var attemptNumber: UInt64 {
    let words = [unreadSettings, line.input, Self.state(of: line.input) ?? ""]
    return ManifestLine.number(
      of: ManifestLine.normalized(line.output) + words.flatMap { [0] + Array($0.utf8) })
  }

  /// The settings, with the sizes and times of the files that they name instead of digests.
  private var unreadSettings: String { settings.identity(digest: Self.state) }

  private static func state(of path: String) -> String? {
    (try? System.status(of: path)).map { "\($0.size) \($0.modified)" }
  }

  /// Returns the entry for an input that crashed the program and is not retried.
  ///
  /// Returns nil if the output is already done, or if the input is not a regular file: then another
  /// attempt shows the error. Neither the input nor a file that the settings name is read, because
  /// reading may crash the program.
  func giveUp(afterCrashes count: Int) -> LedgerEntry? {
    guard let status = try? System.status(of: line.input), status.kind == .file else { return nil }
    var entry = blankEntry(identity: settings.identity(digest: digests.keptDigest))
    entry.inputSize = status.size
    entry.inputTime = status.modified
    if isDone(entry) { return nil }
    entry.settings = unreadSettings
    entry.outcome = .failed
    entry.attemptCount = count
    entry.error = (
      LedgerEntry.endedProgramKeyword,
      "“\(displayed(line.input))” crashed the program \(count) times, the last time while it was the only "
        + "file in progress. It is skipped; --retry-failed retries it."
    )
    keepKnownOutput(&entry)
    return entry
  }

  /// Returns whether the ledger lists this output as made from an apparently unchanged input, and
  /// the output exists.
  ///
  /// If so, the input did not crash the program when the output was made. A cover or effects file
  /// that no other line has read may still be the cause of the crash.
  private func isDone(_ entry: LedgerEntry) -> Bool {
    guard let known, known.isMade else { return false }
    return isKnown(entry) && known.inputTime == entry.inputTime
      && (try? System.status(of: line.output))?.size == known.outputSize
  }

  /// The failed ledger entry of an input that crashed the program, if input and settings are
  /// unchanged.
  ///
  /// No file is read for it.
  var knownCrashEntry: LedgerEntry? {
    guard let known, known.hasEndedProgram, !options.retriesFailed,
      let status = try? System.status(of: line.input)
    else { return nil }
    var entry = blankEntry(identity: unreadSettings)
    entry.inputSize = status.size
    return isKnown(entry) && known.inputTime == status.modified ? known : nil
  }
}

extension LedgerEntry {
  /// The error word for an input that crashed the program repeatedly.
  static let endedProgramKeyword = "ended-program"

  /// Whether the input crashed the program and must not be read again.
  var hasEndedProgram: Bool { outcome == .failed && error?.keyword == Self.endedProgramKeyword }
}
