import AacornRecording
import AacornSystem

/// Makes the lines of a shard, several at once.
final class BatchRun: Sendable {
  /// How it is done and told.
  struct Settings: Sendable {
    var shard = Shard()
    var naming = ManifestLine.Naming(folder: nil, suffix: OutputFormat.m4a.rawValue)
    var encoding = BatchSettings()
    var wishes = BatchWork.Wishes()
    var jobCount = 1
    /// Attempts beyond the first where the reason may go away.
    var retryCount = 2
    var metricsPath: String?
    var isQuiet = false
    /// Whether the lines of the ledger go to standard output as well.
    var printsEntries = false
    /// Whether every line is told of there, even if nothing was to be done.
    var answersAll = false
  }

  /// Outputs in a row that could not be written, after which nothing is: the disk is full, or away.
  static let mostUnwritten = 16

  let settings: Settings
  let console: Console
  private let ledger: Ledger?
  /// Where stands what is in work; nil if there is no such file.
  private let journal: BatchJournal?
  private let progress: BatchProgress
  private let digests = FileDigests()
  private let state: Lock<State>
  /// Lines of this part; nil if nobody has counted them.
  private let total: Int?
  let start = System.seconds

  private struct State {
    var tally = BatchTally()
    var unwrittenCount = 0
    /// Threads that have something in work beside others.
    var workerCount = 0
    /// Why the run cannot go on.
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

  /// Makes all lines that a source gives, until it gives none.
  func work(_ source: BatchSource) {
    let isOpen = Lock(true)
    let body: @Sendable (Int) -> Void = { [self] slot in
      while let item = isOpen.withLock({ draw(from: source, for: slot, &$0) }) {
        switch item {
        case .line(let line, let known): make(line, known, source, in: slot)
        case .fault(let fault, let number): tell(fault, number)
        }
        state.withLock { $0.workerCount -= 1 }
      }
    }
    var threads: [WorkerThread] = []
    for slot in 1..<max(1, settings.jobCount) {
      guard let thread = WorkerThread({ body(slot) }) else { break }
      threads.append(thread)
    }
    body(0)
    for thread in threads { thread.join() }
    lookBack(source)
  }

  /// The next item for a thread, one thread after the other; nil if there is none, or the run is over.
  private func draw(
    from source: BatchSource, for slot: Int, _ isOpen: inout Bool
  ) -> BatchSource.Item? {
    while isOpen, console.interruption.signal == nil, !isOver {
      do throws(CommandFailure) {
        let item = try source.next()
        if case .line(let line, let known) = item, isSuspect(line, known) {
          // Nobody draws meanwhile, so nothing else is in work: if the program ends again, it is known
          // which one it was.
          waitForOthers()
          // One of them may have ended the run, which may have taken long.
          if console.interruption.signal != nil || isOver { break }
          make(line, known, source, in: slot)
          continue
        }
        if let item {
          state.withLock { $0.workerCount += 1 }
          return item
        }
      } catch {
        stop(error)
      }
      isOpen = false
    }
    return nil
  }

  /// Whether a line was in work when the program ended.
  private func isSuspect(_ line: ManifestLine, _ known: LedgerEntry?) -> Bool {
    guard let journal, journal.hasSuspects else { return false }
    return journal.endingCount(of: work(on: line, known).attemptNumber) > 0
  }

  private func work(on line: ManifestLine, _ known: LedgerEntry?) -> BatchWork {
    BatchWork(
      line: line, settings: settings.encoding.overridden(by: line.settings), known: known,
      wishes: settings.wishes, digests: digests, interruption: console.interruption)
  }

  private func waitForOthers() {
    while state.withLock({ $0.workerCount > 0 }) { System.sleep(milliseconds: 5) }
  }

  /// Ends the run: what is in work is finished, nothing new begun.
  func stop(_ failure: CommandFailure) {
    state.withLock { $0.failure = $0.failure ?? failure }
  }

  /// Whether something has ended the run before all lines were over.
  var isOver: Bool { state.withLock { $0.failure != nil } }

  private func make(
    _ line: ManifestLine, _ known: LedgerEntry?, _ source: BatchSource, in slot: Int
  ) {
    var work = work(on: line, known)
    let number = journal == nil ? 0 : work.attemptNumber
    let endingCount = journal?.endingCount(of: number) ?? 0
    // The first time others may have been in work as well, so once is not enough for a verdict.
    if endingCount > max(1, settings.retryCount), !settings.wishes.retriesFailed,
      var entry = work.giveUp(afterEndings: endingCount)
    {
      entry.ended = Timestamp.iso8601(System.wallNanoseconds)
      // Until the ledger has the verdict, the journal has what it rests on.
      if keep(entry, source) { journal?.acquit(number) }
      return
    }
    journal?.begin(number, in: slot)
    defer { journal?.end(in: slot) }
    let start = System.seconds
    var attemptCount = 0
    while true {
      attemptCount += 1
      let result: BatchWork.Result
      do throws(CommandFailure) {
        result = try work.run()
      } catch {
        // The end was requested; the line is as if it had not begun.
        return
      }
      switch result {
      case .skipped(let entry):
        journal?.acquit(number)
        if settings.answersAll { print(entry) }
        return note { $0.addSkipped(entry.outcome) }
      case .stillFailed(let entry):
        journal?.acquit(number)
        tell(entry)
        return note { $0.failedCount += 1 }
      case .made(let entry, mayPass: true) where attemptCount <= settings.retryCount && !isOver:
        work.note(entry)
        pause(before: attemptCount)
      case .made(var entry, _):
        entry.attemptCount = attemptCount + endingCount
        entry.elapsed = System.seconds - start
        entry.ended = Timestamp.iso8601(System.wallNanoseconds)
        // Whatever happens to the ledger, this has not ended the program.
        journal?.acquit(number)
        keep(entry, source)
        return
      }
    }
  }

  /// Waits a second, then two, then four: for a server or a disk that is busy.
  private func pause(before attempt: Int) {
    let deadline = System.seconds + Double(1 << min(attempt - 1, 5))
    while console.interruption.signal == nil, !isOver {
      let rest = deadline - System.seconds
      if rest <= 0 { return }
      System.sleep(milliseconds: min(100, Int(rest * 1000) + 1))
    }
  }

  /// Tells the ledger and the user of a line that is over; false if the ledger cannot be told.
  @discardableResult
  private func keep(_ entry: LedgerEntry, _ source: BatchSource) -> Bool {
    do throws(CommandFailure) {
      if let place = try ledger?.append(entry) { source.keep(entry, at: place) }
    } catch {
      // What was made is on disk; another run finds it, and tells the ledger.
      stop(error)
      return false
    }
    let isUnwritten = entry.error?.word == "cannot-write"
    let isHopeless = state.withLock { state in
      state.unwrittenCount = isUnwritten ? state.unwrittenCount + 1 : 0
      return state.unwrittenCount >= Self.mostUnwritten
    }
    tell(entry)
    note { $0.add(entry) }
    if isHopeless {
      stop(
        CommandFailure(
          .cannotWrite,
          "\(Self.mostUnwritten) outputs in a row could not be written, so the run ends here.",
          .words("Look at the last messages; run it again, and it goes on where it was.")))
    }
    return true
  }

  /// Reads once more what the run has told its ledger, and takes back what is not there any more.
  private func lookBack(_ source: BatchSource) {
    guard let ledger, !isOver, console.interruption.signal == nil else { return }
    do throws(CommandFailure) {
      try ledger.synchronize()
      guard let own = ledger.ownLines, !own.isEmpty else { return }
      let lines = try LedgerLines(ledger.path, console.interruption, from: own.lowerBound)
      while let (bytes, place) = try lines.next(), place < own.upperBound {
        guard let made = LedgerEntry(bytes),
          let loss = try made.outputLoss(digests, console.interruption),
          source.isLatest(made, at: place)
        else { continue }
        var entry = made.takenBack(loss)
        entry.ended = Timestamp.iso8601(System.wallNanoseconds)
        source.keep(entry, at: try ledger.append(entry))
        tell(entry)
        note { $0.lostCount += 1 }
      }
    } catch {
      // The end was requested; the next run looks at all outputs.
      if case .interrupted = error.kind { return }
      stop(error)
    }
  }

  private func note(_ change: (inout BatchTally) -> Void) {
    let tally = state.withLock { state in
      change(&state.tally)
      return state.tally
    }
    progress.show(tally, elapsed: System.seconds - start)
  }

  /// Tells of a line that cannot be read; there is no output by which a ledger could know it.
  private func tell(_ fault: ManifestLine.Fault, _ number: Int) {
    var entry = LedgerEntry()
    entry.line = number
    entry.outcome = .failed
    entry.ended = Timestamp.iso8601(System.wallNanoseconds)
    entry.error = (CommandFailure(.badInput, "").word, "The line \(fault.words).")
    tell(entry)
    note { $0.failedCount += 1 }
  }

  private func print(_ entry: LedgerEntry) {
    console.print(entry.text)
    // Whoever reads may wait for it.
    console.output.flush()
  }

  private func tell(_ entry: LedgerEntry) {
    progress.clear()
    if settings.printsEntries { print(entry) }
    let place = "Line \(entry.line): "
    if let error = entry.error {
      console.printError(place + error.sentence)
    } else if !settings.isQuiet {
      for warning in entry.warnings { console.printError(place + "Warning: " + warning) }
    }
  }

  /// Tells the end; returns the exit status.
  func conclude() -> ExitStatus {
    if let ledger {
      do throws(CommandFailure) { try ledger.synchronize() } catch { stop(error) }
    }
    let (tally, failure) = state.withLock { ($0.tally, $0.failure) }
    // Once all of a manifest was gone through, suspects that are left are none of its lines.
    let isWhole = total != nil && failure == nil && console.interruption.signal == nil
    journal?.close(keepingSuspects: !isWhole)
    progress.end(tally, elapsed: System.seconds - start)
    if let failure {
      console.printError(failure.commandSentence)
      return failure.exitStatus
    }
    if let signal = console.interruption.signal {
      if signal != System.pipeSignal {
        console.printError(
          "Stopped after \(QuantityText.count(tally.count, "line")). What is done is kept; run it "
            + "again, and it goes on from there.")
      }
      return .interrupted(by: signal)
    }
    if tally.lostCount > 0 { return .lost }
    return tally.hasFailures ? .failed : .success
  }
}
