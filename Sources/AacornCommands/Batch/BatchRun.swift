import AacornRecording
import AacornSystem

/// A run that encodes the lines of a shard, several in parallel.
final class BatchRun: Sendable {
  /// The options of a run.
  struct Settings: Sendable {
    var shard = Shard()
    var naming = ManifestLine.Naming(folder: nil, suffix: OutputFormat.m4a.rawValue)
    var encoding = BatchSettings()
    var workOptions = BatchWork.Options()
    var jobCount = 1
    /// The number of attempts after the first, for errors that may be temporary.
    var retryCount = 2
    var metricsPath: String?
    var isQuiet = false
    /// Whether ledger entries are also printed to standard output.
    var printsEntries = false
    /// Whether the entries of skipped lines are printed to standard output as well.
    var printsSkipped = false
  }

  /// The number of consecutive write errors that ends the run: the disk is full or disconnected.
  static let maxUnwrittenCount = 16

  let settings: Settings
  let console: Console
  let ledger: Ledger?
  /// The journal of the lines in progress; nil if it could not be opened.
  private let journal: BatchJournal?
  let progress: BatchProgress
  let digests = FileDigests()
  let gate = ExclusiveGate()
  private let state: Lock<State>
  /// The number of lines in this part; nil if unknown.
  private let total: Int?
  let start = System.seconds

  private struct State {
    var tally = BatchTally()
    var unwrittenCount = 0
    /// The error that ended the run.
    var failure: CommandFailure?
  }

  init(
    _ settings: Settings, ledger: Ledger?, journal: BatchJournal? = nil, total: Int?,
    in console: Console
  ) {
    self.settings = settings
    self.console = console
    self.ledger = ledger
    self.journal = journal
    self.total = total
    progress = BatchProgress(settings, total: total, in: console)
    state = Lock(State())
  }

  var tally: BatchTally { state.withLock(\.tally) }

  /// Encodes all lines of a source.
  func work(_ source: BatchSource) {
    let isOpen = Lock(true)
    BatchWorkers.run(settings.jobCount) { [self] slot in
      while let item = isOpen.withLock({ nextItem(from: source, &$0) }) {
        switch item {
        case .line(let line, let known, let candidate):
          encodeLine(line, known, candidate, source, in: slot)
          gate.leave()
        case .fault(let fault, let number): report(fault, number)
        }
      }
    }
    recheckOutputs(source)
  }

  /// A work item for a thread.
  private enum Item {
    /// A line that `gate` has admitted.
    case line(ManifestLine, known: LedgerEntry?, CrashCandidate?)
    case fault(ManifestLine.Fault, number: Int)
  }

  /// A crash candidate: a line that was in progress when the program ended.
  private struct CrashCandidate {
    let number: UInt64
    let crashCount: Int
  }

  /// Returns the next item for a thread, or nil at the end.
  ///
  /// Only one thread calls this at a time.
  private func nextItem(from source: BatchSource, _ isOpen: inout Bool) -> Item? {
    guard isOpen, !isEnding else { return nil }
    do throws(CommandFailure) {
      switch try source.next() {
      case .line(let line, let known)?:
        let isCandidate = crashCandidate(line, known) != nil
        // While a candidate is in progress, no other thread can draw a line. If the program crashes
        // again, the journal shows that this line caused it.
        gate.enter(alone: isCandidate)
        // The line may have received a result while this thread waited, so check it again.
        if !isEnding {
          return .line(line, known: known, isCandidate ? crashCandidate(line, known) : nil)
        }
        // The run has ended during the wait, so do not begin this line.
        gate.leave()
      case .fault(let fault, let number)?: return .fault(fault, number: number)
      case nil: break
      }
    } catch {
      stop(error)
    }
    isOpen = false
    return nil
  }

  private func crashCandidate(_ line: ManifestLine, _ known: LedgerEntry?) -> CrashCandidate? {
    guard let journal, journal.hasCandidates else { return nil }
    let number = work(on: line, known).attemptNumber
    let count = journal.crashCount(of: number)
    return count > 0 ? CrashCandidate(number: number, crashCount: count) : nil
  }

  private func work(on line: ManifestLine, _ known: LedgerEntry?) -> BatchWork {
    BatchWork(
      line: line, settings: settings.encoding.overridden(by: line.settings), known: known,
      options: settings.workOptions, digests: digests, interruption: console.interruption)
  }

  /// Ends the run: lines in progress are finished, and no new line is begun.
  func stop(_ failure: CommandFailure) {
    state.withLock { $0.failure = $0.failure ?? failure }
  }

  /// Whether an error has ended the run early.
  var isStopped: Bool { state.withLock { $0.failure != nil } }

  /// Whether no new line is begun, because of a signal or because the run was stopped.
  var isEnding: Bool { console.interruption.signal != nil || isStopped }

  /// Encodes a line that `gate` has admitted.
  private func encodeLine(
    _ line: ManifestLine, _ known: LedgerEntry?, _ candidate: CrashCandidate?,
    _ source: BatchSource,
    in slot: Int
  ) {
    var work = work(on: line, known)
    let crashCount = candidate?.crashCount ?? 0
    // At a crash other lines may have been in progress too, so one crash does not prove that this
    // line caused it.
    if crashCount > max(1, settings.retryCount), !settings.workOptions.retriesFailed,
      var entry = work.giveUp(afterCrashes: crashCount)
    {
      entry.ended = Timestamp.iso8601(System.wallNanoseconds)
      // Keep the crash count in the journal until the ledger has the entry.
      if recordEntry(entry, source) { markSucceeded(candidate) }
      return
    }
    let mark = journal.map { JournalSlot($0, slot: slot) }
    defer { mark?.end() }
    var start = System.seconds
    var attemptCount = 0
    while true {
      attemptCount += 1
      let result: BatchWork.Result
      do throws(CommandFailure) {
        result = try work.run { mark?.begin(candidate?.number ?? work.attemptNumber) }
      } catch {
        // The run is ending, so the line counts as not begun.
        return
      }
      switch result {
      case .skipped(let entry):
        markSucceeded(candidate)
        if settings.printsSkipped { print(entry) }
        return updateTally { $0.addSkipped(entry.outcome) }
      case .failedBefore(let entry):
        markSucceeded(candidate)
        report(entry)
        return updateTally { $0.failedCount += 1 }
      case .attempted(var entry, let mayBeTemporary):
        if mayBeTemporary, attemptCount <= settings.retryCount, !isStopped {
          mark?.end()
          start += pause(before: attemptCount, alone: candidate != nil)
          if !isEnding {
            work.record(entry)
            continue
          }
          // The run is ending, so the line counts as not begun, unless it left an output that is
          // not in the ledger.
          let hasNewOutput = entry.outputDigest != nil && entry.outputDigest != known?.outputDigest
          if !isStopped && !hasNewOutput { return }
        }
        entry.attemptCount = attemptCount + crashCount
        entry.elapsed = System.seconds - start
        entry.ended = Timestamp.iso8601(System.wallNanoseconds)
        // This attempt did not crash the program, so clear the candidate even if the ledger cannot
        // be written.
        markSucceeded(candidate)
        recordEntry(entry, source)
        return
      }
    }
  }

  private func markSucceeded(_ candidate: CrashCandidate?) {
    if let candidate { journal?.markSucceeded(candidate.number) }
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

  /// Writes a finished line to the ledger and reports it; returns false if the ledger cannot be
  /// written.
  @discardableResult
  private func recordEntry(_ entry: LedgerEntry, _ source: BatchSource) -> Bool {
    do throws(CommandFailure) {
      if let offset = try ledger?.append(entry) { source.recordOffset(of: entry, at: offset) }
    } catch {
      // The output is on disk, so nothing is lost: the next run finds it and adds it to the ledger.
      stop(error)
      return false
    }
    let isUnwritten = entry.error?.keyword == "cannot-write"
    let mustStop = state.withLock { state in
      state.unwrittenCount = isUnwritten ? state.unwrittenCount + 1 : 0
      return state.unwrittenCount >= Self.maxUnwrittenCount
    }
    report(entry)
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

  /// Changes the counts and shows them; `atOnce` ignores the limits of the display.
  func updateTally(atOnce: Bool = false, _ change: (inout BatchTally) -> Void) {
    let tally = state.withLock { state in
      change(&state.tally)
      return state.tally
    }
    progress.show(tally, elapsed: System.seconds - start, atOnce: atOnce)
  }

  /// Finishes the run, reports its end, and returns the exit status.
  func finish() -> ExitStatus {
    if let ledger {
      do throws(CommandFailure) { try ledger.synchronize() } catch { stop(error) }
    }
    let (tally, failure) = state.withLock { ($0.tally, $0.failure) }
    // After a complete pass over the manifest, the remaining candidates belong to none of its lines
    // and are dropped.
    let isComplete = total != nil && failure == nil && console.interruption.signal == nil
    journal?.close(keepingCandidates: !isComplete)
    progress.end(tally, elapsed: System.seconds - start)
    if let failure {
      console.printError(failure.commandMessage)
      return failure.exitStatus
    }
    if let signal = console.interruption.signal {
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
