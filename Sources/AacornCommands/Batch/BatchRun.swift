import AacornRecording
import AacornSystem

/// A run that encodes the lines of a shard, several in parallel.
final class BatchRun: Sendable {
  /// The number of consecutive write errors that ends the run: the disk is full or disconnected.
  static let maxUnwrittenCount = 16

  let settings: BatchSettings
  private let console: Console
  private let ledger: Ledger?
  /// The journal of the lines in progress; nil if it could not be opened.
  private let journal: CrashJournal?
  private let progress: BatchProgress
  private let digests = FileDigests()
  let gate = ExclusiveGate()
  private let state = Lock(State())
  /// The number of lines in this part; nil if `ManifestCheck` did not check the manifest.
  private let total: Int?
  let start = System.seconds

  private struct State {
    var tally = BatchTally()
    var unwrittenCount = 0
    /// The error that ended the run.
    var failure: CommandFailure?
  }

  init(
    _ settings: BatchSettings, ledger: Ledger?, journal: CrashJournal? = nil, total: Int?,
    in console: Console
  ) {
    self.settings = settings
    self.console = console
    self.ledger = ledger
    self.journal = journal
    self.total = total
    progress = BatchProgress(settings, total: total, in: console)
  }

  var tally: BatchTally { state.withLock(\.tally) }

  /// Encodes the lines of a manifest that belong to the shard, and checks the outputs.
  func work(_ manifest: sending LineReader) {
    let manifest = Lock<LineReader?>(manifest)
    Workers.run(settings.jobCount) { [self] in
      while let work = manifest.withLock({ nextWork(&$0) }) {
        encode(work)
        gate.leave()
      }
    }
    recheckOutputs()
  }

  // MARK: Lines

  /// Returns the work on the next line, which `gate` has admitted, or nil at the end; then the
  /// manifest becomes nil.
  ///
  /// Only one thread calls this at a time.
  private func nextWork(_ manifest: inout LineReader?) -> BatchWork? {
    do throws(CommandFailure) {
      while !isEnding, let next = try manifest?.next() {
        guard let line = try line(next), settings.shard.contains(line.outputNumber) else {
          continue
        }
        var work = BatchWork(
          line: line, settings: settings, known: ledger?.lastEntry(about: line.output),
          digests: digests, interruption: console.interruption)
        // Without candidates, do not access the input while other threads wait for their lines.
        let journal = journal.flatMap { $0.hasCandidates ? $0 : nil }
        work.crashCount = journal?.crashCount(of: work.crashKey) ?? 0
        // While a candidate is in progress, no other thread can draw a line. If the program
        // crashes again, the journal shows that this line caused it.
        gate.enter(alone: work.isCandidate)
        // The run may have ended during the wait; then do not begin this line.
        if !isEnding { return work }
        gate.leave()
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
      if total == nil {
        report(error, next.number)
        return nil
      }
      // The line has changed since the check.
      throw CommandFailure(.badInput, "Line \(next.number) of the manifest \(error.text).")
    }
  }

  /// Encodes a line that `gate` has admitted.
  private func encode(_ work: BatchWork) {
    var work = work
    let known = work.known
    let crashKey = journal == nil ? 0 : work.crashKey
    // At a crash other lines may have been in progress too, so one crash does not prove that this
    // line caused it.
    if work.crashCount > max(1, settings.retryCount), !settings.retriesFailed,
      let entry = work.giveUp()
    {
      // Keep the crash count in the journal until the ledger has the entry.
      if record(entry) { journal?.end(crashKey, hasResult: true) }
      return
    }
    var start = System.seconds
    var attemptCount = 0
    while true {
      attemptCount += 1
      journal?.begin(crashKey)
      guard let result = try? work.run() else {
        // The run is ending, so the line counts as not begun.
        journal?.end(crashKey, hasResult: false)
        return
      }
      guard case .attempted(var entry, let mayBeTemporary) = result else {
        if case .known(let entry) = result { reportKnown(entry) }
        journal?.end(crashKey, hasResult: true)
        return
      }
      if mayBeTemporary, attemptCount <= settings.retryCount, !isStopped {
        journal?.end(crashKey, hasResult: false)
        start += pause(before: attemptCount, alone: work.isCandidate)
        if !isEnding {
          work.record(entry)
          continue
        }
        // The run is ending, so the line counts as not begun, unless it left an output that is not
        // in the ledger.
        let isKnown =
          entry.product.digest == nil || entry.product.digest == known?.product.digest
        if isKnown && !isStopped { return }
      }
      entry.attemptCount = attemptCount + work.crashCount
      entry.elapsed = System.seconds - start
      // This attempt did not crash the program, so clear the candidate even if the ledger cannot be
      // written.
      journal?.end(crashKey, hasResult: true)
      record(entry)
      return
    }
  }

  /// Waits for a busy server or disk: 1 s before the first retry, doubled for each further one, up
  /// to 32 s.
  ///
  /// During the wait the gate may admit other lines. Returns the seconds spent waiting until the
  /// gate admitted this line again.
  private func pause(before attempt: Int, alone: Bool) -> Double {
    gate.leave()
    let deadline = System.seconds + Double(1 << min(attempt - 1, 5))
    while !isEnding, System.seconds < deadline { System.sleep(milliseconds: 50) }
    let end = System.seconds
    gate.enter(alone: alone)
    return System.seconds - end
  }

  // MARK: Results

  /// Writes a finished line to the ledger and reports it; returns false if the ledger cannot be
  /// written.
  @discardableResult
  private func record(_ entry: LedgerEntry) -> Bool {
    guard let entry = append(entry) else { return false }
    let isUnwritten = entry.error?.keyword == CommandFailure.Kind.cannotWrite.keyword
    let mustStop = state.withLock { state in
      state.unwrittenCount = isUnwritten ? state.unwrittenCount + 1 : 0
      return state.unwrittenCount >= Self.maxUnwrittenCount
    }
    updateTally { $0.add(entry) }
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
  private func append(_ entry: LedgerEntry) -> LedgerEntry? {
    var entry = entry
    entry.ended = Timestamp.iso8601(System.wallNanoseconds)
    do throws(CommandFailure) {
      try ledger?.append(entry)
    } catch {
      // The output is on disk, so nothing is lost: the next run finds it and adds it to the ledger.
      stop(error)
      return nil
    }
    report(entry)
    return entry
  }

  /// Reports a line that was not tried.
  private func reportKnown(_ entry: LedgerEntry) {
    if !entry.isMade {
      report(entry)
    } else if settings.printsSkipped {
      print(entry)
    }
    updateTally { $0.addKnown(entry.outcome) }
  }

  /// Reports a line that cannot be parsed.
  ///
  /// No ledger entry is written, because the output of the line is unknown.
  private func report(_ fault: ManifestLine.Fault, _ number: Int) {
    var entry = LedgerEntry()
    (entry.line, entry.outcome) = (number, .failed)
    entry.ended = Timestamp.iso8601(System.wallNanoseconds)
    entry.error = (CommandFailure.Kind.badInput.keyword, "The line \(fault.text).")
    report(entry)
    updateTally { $0.addKnown(.failed) }
  }

  /// Reports a finished line to the user, and to programs if entries are printed.
  private func report(_ entry: LedgerEntry) {
    progress.clear()
    if settings.printsEntries { print(entry) }
    let prefix = "Line \(entry.line): "
    if let error = entry.error {
      console.printError(prefix + error.message)
    } else if !settings.isQuiet {
      for warning in entry.warnings { console.printError(prefix + "Warning: " + warning) }
    }
  }

  /// Prints the ledger entry of a finished line to standard output.
  private func print(_ entry: LedgerEntry) {
    console.print(entry.text)
    // Flush, because the reader of the output may be waiting for this entry.
    console.output.flush()
  }

  /// Changes the counts and shows them; `atOnce` ignores the limits of the display.
  private func updateTally(atOnce: Bool = false, _ change: (inout BatchTally) -> Void) {
    let tally = state.withLock { state in
      change(&state.tally)
      return state.tally
    }
    progress.show(tally, elapsed: System.seconds - start, atOnce: atOnce)
  }

  // MARK: The end

  /// Ends the run: lines in progress are finished, and no new line is begun.
  private func stop(_ failure: CommandFailure) {
    state.withLock { $0.failure = $0.failure ?? failure }
  }

  /// Whether an error has ended the run early.
  var isStopped: Bool { state.withLock { $0.failure != nil } }

  /// Whether no new line is begun, because of a signal or because the run was stopped.
  private var isEnding: Bool { console.interruption.signal != nil || isStopped }

  /// Checks the outputs of this run once more, and marks missing ones in the ledger as lost.
  private func recheckOutputs() {
    guard let ledger, ledger.isFile, !isEnding else { return }
    do throws(CommandFailure) {
      try ledger.synchronize()
      // If the run has made no output, only the ledger is checked, so the display shows no check of
      // outputs.
      if tally.madeCount > 0 { updateTally(atOnce: true) { $0.isRechecking = true } }
      defer { updateTally { $0.isRechecking = false } }
      try ledger.forEachOwnEntry(jobCount: settings.jobCount, console.interruption) {
        [self] (made, offset) throws(CommandFailure) in
        if !made.isMade || isStopped { return }
        let loss = try made.outputLoss(console.interruption)
        if let loss, ledger.isLatest(made, at: offset) {
          if append(made.markedAsLost(loss)) == nil { return }
          updateTally { $0.lostCount += 1 }
        }
        updateTally { $0.checkedCount += 1 }
      }
    } catch {
      // The user has interrupted the check. The next run checks all outputs.
      if case .interrupted = error.kind { return }
      stop(error)
    }
  }

  /// Finishes the run, reports its end, and returns the exit status.
  func finish() -> ExitStatus {
    if let ledger {
      do throws(CommandFailure) { try ledger.synchronize() } catch { stop(error) }
    }
    let (tally, failure) = state.withLock { ($0.tally, $0.failure) }
    let signal = console.interruption.signal
    // After a complete pass over the manifest, the remaining candidates belong to none of its lines
    // and are dropped.
    journal?.close(keepingCandidates: total == nil || failure != nil || signal != nil)
    progress.end(tally, elapsed: System.seconds - start)
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

/// A gate that admits many lines at once, or one exclusively.
///
/// A line that may crash the program is admitted exclusively: it waits until all lines in progress
/// have finished, and other lines wait for it.
final class ExclusiveGate: Sendable {
  let state = Lock(State())

  struct State {
    var workerCount = 0
    var isExclusive = false
    /// The number of threads that wait for exclusive access.
    var waitingCount = 0
  }

  /// Waits for admission, which lasts until `leave` is called.
  func enter(alone: Bool) {
    if alone { state.withLock { $0.waitingCount += 1 } }
    while !state.withLock({ Self.enter(&$0, alone: alone) }) { System.sleep(milliseconds: 5) }
  }

  private static func enter(_ state: inout State, alone: Bool) -> Bool {
    let isFree = alone ? state.workerCount == 0 : !state.isExclusive && state.waitingCount == 0
    if isFree {
      state.workerCount += 1
      state.isExclusive = alone
      if alone { state.waitingCount -= 1 }
    }
    return isFree
  }

  /// Ends the admission of the caller and wakes the waiting threads.
  func leave() {
    state.withLock { state in
      state.workerCount -= 1
      state.isExclusive = false
    }
  }
}
