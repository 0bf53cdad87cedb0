import AacornRecording
import AacornSystem

extension BatchRun {
  /// Checks the outputs of this run once more at its end, and marks missing ones in the ledger as
  /// lost.
  func recheckOutputs(_ source: BatchSource) {
    guard let ledger, !isEnding else { return }
    do throws(CommandFailure) {
      try ledger.synchronize()
      if ledger.ownLines?.places.isEmpty ?? true { return }
      // If the run has made no output, only the ledger is checked, so the display shows no check of
      // outputs.
      if tally.madeCount > 0 { updateTally(atOnce: true) { $0.isRechecking = true } }
      defer { updateTally { $0.isRechecking = false } }
      try ledger.forEachOwnEntry(jobCount: settings.jobCount, console.interruption) {
        [self] (made, offset) throws(CommandFailure) in
        try check(made, at: offset, source, ledger)
      }
    } catch {
      // The user has interrupted the check. The next run checks all outputs.
      if case .interrupted = error.kind { return }
      stop(error)
    }
  }

  private func check(
    _ made: LedgerEntry, at offset: Int, _ source: BatchSource, _ ledger: Ledger
  ) throws(CommandFailure) {
    if !made.isMade { return }
    guard let loss = try made.outputLoss(digests, console.interruption),
      source.isLatest(made, at: offset)
    else { return updateTally { $0.checkedCount += 1 } }
    var entry = made.markedAsLost(loss)
    entry.ended = Timestamp.iso8601(System.wallNanoseconds)
    source.recordOffset(of: entry, at: try ledger.append(entry))
    report(entry)
    updateTally { tally in
      tally.checkedCount += 1
      tally.lostCount += 1
    }
  }
}
