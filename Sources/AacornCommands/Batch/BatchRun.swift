import AacornRecording
import AacornSystem

/// A run that encodes the lines of a shard, several in parallel.
final class BatchRun: Sendable {
  /// The number of consecutive write errors that ends the run: the disk is full or disconnected.
  static let maxUnwrittenCount = 16

  private let settings: BatchCommand
  private let console: Console
  private let ledger: Ledger?
  /// The journal of the lines in progress; nil without a ledger, or if it cannot be opened.
  private let journal: CrashJournal?
  private let progress: BatchProgress
  private let digests = FileDigests()
  private let state = Lock(State())
  /// The number of lines in this part; nil if `ManifestCheck` did not check the manifest, because it
  /// is read from standard input.
  private let total: Int?

  private struct State {
    var unwrittenCount = 0
    /// The error that ended the run.
    var failure: CommandFailure?
  }

  /// Reads the ledger, and opens its journal.
  init(
    _ settings: BatchCommand, ledger: Ledger?, total: Int?, in console: Console
  ) throws(CommandFailure) {
    self.settings = settings
    self.console = console
    self.ledger = ledger
    self.total = total
    try ledger?.index(withNewLines: total == nil, console.interruption)
    progress = BatchProgress(settings, total: total, in: console)
    guard let ledger else {
      journal = nil
      return
    }
    do throws(CommandFailure) {
      journal = try CrashJournal(of: ledger.path)
    } catch {
      // A run can do without it.
      journal = nil
      console.printError(
        error.commandMessage + " A file that crashes the program would not be skipped.")
    }
  }

  /// Encodes the lines of a manifest that belong to the shard, checks the outputs, reports the
  /// result, and returns the exit status.
  func run(_ manifest: sending LineReader) -> ExitStatus {
    let manifest = Lock<LineReader?>(manifest)
    Workers.run(settings.jobCount) { [self] in
      while let work = manifest.withLock({ nextWork(&$0) }) { encode(work) }
    }
    recheckOutputs()
    let status = finish()
    if settings.printsEntries {
      console.print(progress.tally.json(elapsed: progress.elapsed))
    } else if !settings.isQuiet && total != nil {
      console.print(progress.tally.summary(elapsed: progress.elapsed))
      if let ledger, !isStopped {
        console.print("The results of the lines are in \(displayed(ledger.path)).")
      }
    }
    return status
  }

  // MARK: Lines

  /// Returns the work on the next line, or nil at the end; then the manifest becomes nil.
  ///
  /// Only one thread calls this at a time.
  private func nextWork(_ manifest: inout LineReader?) -> BatchWork? {
    do throws(CommandFailure) {
      while !isEnding, let next = try manifest?.next() {
        guard let line = try line(next), settings.shard.contains(line.outputNumber) else {
          continue
        }
        var work = BatchWork(
          line: line, settings: settings,
          known: ledger?.lastEntry(about: line.output), digests: digests,
          interruption: console.interruption)
        // While a candidate is in progress, no other thread can draw a line. Without candidates, do
        // not access the input while other threads wait for their lines.
        if journal?.hasCandidates == true { begin(&work) }
        // The run may have ended during the wait; then do not begin this line.
        if !isEnding { return work }
        end(work, hasResult: false)
      }
    } catch {
      stop(error)
    }
    manifest = nil
    return nil
  }

  /// Parses a line; reports an invalid one and returns nil, unless the manifest was checked.
  private func line(_ next: LineReader.Line) throws(CommandFailure) -> ManifestLine? {
    do throws(ManifestLine.Fault) {
      return try ManifestLine(next.bytes, number: next.number, settings)
    } catch {
      if total != nil {
        // The line has changed since the check.
        throw CommandFailure(.badInput, "Line \(next.number) of the manifest \(error.text).")
      }
      // No ledger entry is written, because the output of the line is unknown.
      var entry = LedgerEntry()
      (entry.line, entry.outcome) = (next.number, .failed)
      entry.ended = Timestamp.iso8601(System.wallNanoseconds)
      entry.error = (CommandFailure.Kind.badInput.keyword, "The line \(error.text).")
      reportKnown(entry)
      return nil
    }
  }

  /// Records in the journal that the work on a line begins, as soon as other lines permit it.
  private func begin(_ work: inout BatchWork) {
    guard let journal else { return }
    let key = work.journalKey ?? work.crashKey
    work.crashCount = journal.begin(key)
    work.journalKey = key
  }

  private func end(_ work: BatchWork, hasResult: Bool) {
    if let key = work.journalKey { journal?.end(key, hasResult: hasResult) }
  }

  private func encode(_ work: BatchWork) {
    var work = work
    let known = work.known
    if work.journalKey == nil { begin(&work) }
    // At a crash other lines may have been in progress too, so one crash does not prove that this
    // line caused it.
    if work.crashCount > max(1, settings.retryCount), !settings.retriesFailed,
      let entry = work.giveUp()
    {
      // Keep the crash count in the journal until the ledger has the entry.
      if !record(entry, of: work) { end(work, hasResult: false) }
      return
    }
    var start = System.seconds
    var attemptCount = 1
    while true {
      // If the run is ending, the line counts as not begun.
      guard let result = try? work.attempt() else { return end(work, hasResult: false) }
      guard case .attempted(var entry, let mayBeTemporary) = result else {
        if case .known(let entry) = result { reportKnown(entry) }
        return end(work, hasResult: true)
      }
      if mayBeTemporary, attemptCount <= settings.retryCount, !isStopped {
        let pauseStart = System.seconds
        end(work, hasResult: false)
        // Wait for a busy server or disk: 1 s before the first retry, doubled for each further one,
        // up to 32 s.
        let deadline = pauseStart + Double(1 << min(attemptCount - 1, 5))
        while !isEnding, System.seconds < deadline { System.sleep(milliseconds: 50) }
        if !isEnding { begin(&work) }
        start += System.seconds - pauseStart
        if !isEnding {
          attemptCount += 1
          continue
        }
        // The run is ending, so the line counts as not begun, unless it left an output that is not
        // in the ledger.
        let isKnown =
          entry.product.digest == nil || entry.product.digest == known?.product.digest
        if isKnown && !isStopped { return end(work, hasResult: false) }
      }
      entry.attemptCount = attemptCount + work.crashCount
      entry.elapsed = System.seconds - start
      // This attempt did not crash the program, so clear the candidate even if the ledger could not
      // be written.
      if !record(entry, of: work) { end(work, hasResult: true) }
      return
    }
  }

  // MARK: Results

  /// Writes a finished line to the ledger, ends its work in the journal, and reports it; returns
  /// false if the ledger cannot be written.
  private func record(_ entry: LedgerEntry, of work: BatchWork) -> Bool {
    guard let entry = append(entry, of: work) else { return false }
    let isUnwritten = entry.error?.keyword == CommandFailure.Kind.cannotWrite.keyword
    let mustStop = state.withLock { state in
      state.unwrittenCount = isUnwritten ? state.unwrittenCount + 1 : 0
      return state.unwrittenCount >= Self.maxUnwrittenCount
    }
    progress.update { $0.add(entry) }
    if mustStop {
      stop(
        CommandFailure(
          .cannotWrite,
          "\(Self.maxUnwrittenCount) outputs in a row could not be written, so the run ends here.",
          .text("See the last messages. The next run resumes.")))
    }
    return true
  }

  /// Writes an entry to the ledger, with its time, and reports it; returns nil after an error.
  ///
  /// The work ends in the journal before the report, which may wait for a slow reader.
  private func append(_ entry: LedgerEntry, of work: BatchWork? = nil) -> LedgerEntry? {
    var entry = entry
    entry.ended = Timestamp.iso8601(System.wallNanoseconds)
    do throws(CommandFailure) {
      try ledger?.append(entry)
    } catch {
      // The output is on disk, so nothing is lost: the next run finds it and adds it to the ledger.
      stop(error)
      return nil
    }
    if let work { end(work, hasResult: true) }
    report(entry)
    return entry
  }

  /// Reports a line that was not tried.
  private func reportKnown(_ entry: LedgerEntry) {
    if !entry.isMade {
      report(entry)
    } else if total == nil {
      print(entry)
    }
    progress.update { $0.addKnown(entry.outcome) }
  }

  /// Reports a finished line to the user, and to programs if entries are printed.
  private func report(_ entry: LedgerEntry) {
    progress.clear()
    if settings.printsEntries || total == nil { print(entry) }
    let prefix = "Line \(entry.line): "
    // The texts may be from a ledger, and anyone may have written that.
    if let error = entry.error {
      console.printError(prefix + displayed(error.message))
    } else if !settings.isQuiet {
      for warning in entry.warnings {
        console.printError(prefix + "Warning: " + displayed(warning))
      }
    }
  }

  /// Prints the ledger entry of a finished line to standard output.
  private func print(_ entry: LedgerEntry) {
    console.print(entry.json)
    // Flush, because the reader of the output may be waiting for this entry.
    console.output.flush()
  }

  // MARK: The end

  /// Ends the run: lines in progress are finished, and no new line is begun.
  private func stop(_ failure: CommandFailure) {
    state.withLock { $0.failure = $0.failure ?? failure }
  }

  /// Whether an error has ended the run early.
  private var isStopped: Bool { state.withLock { $0.failure != nil } }

  /// Whether no new line is begun, because of a signal or because the run was stopped.
  private var isEnding: Bool { console.interruption.signal != nil || isStopped }

  /// Checks the outputs of this run once more, and marks missing ones in the ledger as lost.
  private func recheckOutputs() {
    guard let ledger, !isEnding else { return }
    do throws(CommandFailure) {
      try ledger.synchronize()
      // If the run has made no output, only the ledger is checked, so the display shows no check of
      // outputs.
      if progress.tally.madeCount > 0 { progress.update(atOnce: true) { $0.isRechecking = true } }
      defer { progress.update { $0.isRechecking = false } }
      try ledger.forEachOwnEntry(jobCount: settings.jobCount, console.interruption) {
        [self] (made, offset) throws(CommandFailure) in
        if !made.isMade || isStopped { return }
        let loss = try made.outputLoss(console.interruption)
        if let loss, ledger.isLatest(made, at: offset) {
          if append(made.markedAsLost(loss)) == nil { return }
          progress.update { $0.lostCount += 1 }
        }
        progress.update { $0.checkedCount += 1 }
      }
    } catch {
      // The user has interrupted the check. The next run checks all outputs.
      if case .interrupted = error.kind { return }
      stop(error)
    }
  }

  /// Finishes the ledger and the journal, reports errors, and returns the exit status.
  private func finish() -> ExitStatus {
    if let ledger {
      do throws(CommandFailure) { try ledger.synchronize() } catch { stop(error) }
    }
    let (tally, failure) = (progress.tally, state.withLock(\.failure))
    let signal = console.interruption.signal
    // After a complete pass over the manifest, the remaining candidates belong to none of its lines
    // and are dropped.
    journal?.close(keepingCandidates: total == nil || failure != nil || signal != nil)
    progress.end()
    if let failure {
      console.printError(failure.commandMessage)
      return failure.exitStatus
    }
    if let signal {
      if signal != System.pipeSignal {
        console.printError(
          "Stopped after \(QuantityText.count(tally.count, "line")). Finished lines are kept. The "
            + "next run resumes.")
      }
      return .interrupted(by: signal)
    }
    if tally.lostCount > 0 { return .lost }
    return tally.hasFailures ? .failed : .success
  }
}
