import AacornRecording
import AacornSystem

extension BatchRun {
  /// Looks once more at what the run has told and made, and takes back what is not there any more.
  func lookBack(_ source: BatchSource) {
    guard let ledger, !isEnding else { return }
    do throws(CommandFailure) {
      try ledger.synchronize()
      if ledger.ownLines?.places.isEmpty ?? true { return }
      // Where nothing was made, only the ledger itself is looked at.
      if tally.madeCount > 0 { note(atOnce: true) { $0.isLookingBack = true } }
      defer { note { $0.isLookingBack = false } }
      try ledger.forEachOwnEntry(jobCount: settings.jobCount, console.interruption) {
        [self] (made, place) throws(CommandFailure) in
        try check(made, at: place, source, ledger)
      }
    } catch {
      // The end was requested; the next run looks at all outputs.
      if case .interrupted = error.kind { return }
      stop(error)
    }
  }

  private func check(
    _ made: LedgerEntry, at place: Int, _ source: BatchSource, _ ledger: Ledger
  ) throws(CommandFailure) {
    if !made.isMade { return }
    guard let loss = try made.outputLoss(digests, console.interruption),
      source.isLatest(made, at: place)
    else { return note { $0.checkedCount += 1 } }
    var entry = made.takenBack(loss)
    entry.ended = Timestamp.iso8601(System.wallNanoseconds)
    source.keep(entry, at: try ledger.append(entry))
    tell(entry)
    note { tally in
      tally.checkedCount += 1
      tally.lostCount += 1
    }
  }
}
