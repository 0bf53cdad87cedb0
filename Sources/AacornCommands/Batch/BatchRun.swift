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
  let ledger: Ledger?
  /// Where stands what is in work; nil if there is no such file.
  private let journal: BatchJournal?
  let progress: BatchProgress
  let digests = FileDigests()
  let turns = BatchTurns()
  private let state: Lock<State>
  /// Lines of this part; nil if nobody has counted them.
  private let total: Int?
  let start = System.seconds

  private struct State {
    var tally = BatchTally()
    var unwrittenCount = 0
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
    BatchWorkers.run(settings.jobCount) { [self] slot in
      while let item = isOpen.withLock({ draw(from: source, &$0) }) {
        switch item {
        case .line(let line, let known, let suspect):
          make(line, known, suspect, source, in: slot)
          turns.leave()
        case .fault(let fault, let number): tell(fault, number)
        }
      }
    }
    lookBack(source)
  }

  /// What a thread has to do.
  private enum Item {
    /// A line whose turn it is.
    case line(ManifestLine, known: LedgerEntry?, Suspect?)
    case fault(ManifestLine.Fault, number: Int)
  }

  /// A line that was in work when the program ended.
  private struct Suspect {
    let number: UInt64
    let endingCount: Int
  }

  /// The next item for a thread, one thread after the other; nil if there is none, or the run is over.
  private func draw(from source: BatchSource, _ isOpen: inout Bool) -> Item? {
    guard isOpen, !isEnding else { return nil }
    do throws(CommandFailure) {
      switch try source.next() {
      case .line(let line, let known)?:
        let isSuspect = suspect(line, known) != nil
        // Nobody draws meanwhile, so nothing else is in work: if the program ends again, it is known
        // which one it was.
        turns.take(alone: isSuspect)
        // The same line may have been in work until now.
        if !isEnding { return .line(line, known: known, isSuspect ? suspect(line, known) : nil) }
        // One of the others may have ended the run, which may have taken long.
        turns.leave()
      case .fault(let fault, let number)?: return .fault(fault, number: number)
      case nil: break
      }
    } catch {
      stop(error)
    }
    isOpen = false
    return nil
  }

  private func suspect(_ line: ManifestLine, _ known: LedgerEntry?) -> Suspect? {
    guard let journal, journal.hasSuspects else { return nil }
    let number = work(on: line, known).attemptNumber
    let count = journal.endingCount(of: number)
    return count > 0 ? Suspect(number: number, endingCount: count) : nil
  }

  private func work(on line: ManifestLine, _ known: LedgerEntry?) -> BatchWork {
    BatchWork(
      line: line, settings: settings.encoding.overridden(by: line.settings), known: known,
      wishes: settings.wishes, digests: digests, interruption: console.interruption)
  }

  /// Ends the run: what is in work is finished, nothing new begun.
  func stop(_ failure: CommandFailure) {
    state.withLock { $0.failure = $0.failure ?? failure }
  }

  /// Whether something has ended the run before all lines were over.
  var isOver: Bool { state.withLock { $0.failure != nil } }

  /// Whether nothing new is begun, since the end was requested or the run is over.
  var isEnding: Bool { console.interruption.signal != nil || isOver }

  /// Makes a line whose turn it is.
  private func make(
    _ line: ManifestLine, _ known: LedgerEntry?, _ suspect: Suspect?, _ source: BatchSource,
    in slot: Int
  ) {
    var work = work(on: line, known)
    let endingCount = suspect?.endingCount ?? 0
    // The first time others may have been in work as well, so once is not enough for a verdict.
    if endingCount > max(1, settings.retryCount), !settings.wishes.retriesFailed,
      var entry = work.giveUp(afterEndings: endingCount)
    {
      entry.ended = Timestamp.iso8601(System.wallNanoseconds)
      // Until the ledger has the verdict, the journal has what it rests on.
      if keep(entry, source) { acquit(suspect) }
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
        result = try work.run { mark?.begin(suspect?.number ?? work.attemptNumber) }
      } catch {
        // The end was requested; the line is as if it had not begun.
        return
      }
      switch result {
      case .skipped(let entry):
        acquit(suspect)
        if settings.answersAll { print(entry) }
        return note { $0.addSkipped(entry.outcome) }
      case .stillFailed(let entry):
        acquit(suspect)
        tell(entry)
        return note { $0.failedCount += 1 }
      case .made(var entry, let mayPass):
        if mayPass, attemptCount <= settings.retryCount, !isOver {
          mark?.end()
          start += pause(before: attemptCount, alone: suspect != nil)
          if !isEnding {
            work.note(entry)
            continue
          }
          // The line is as if it had not begun, unless it has left an output that no ledger knows.
          let hasNewOutput = entry.outputDigest != nil && entry.outputDigest != known?.outputDigest
          if !isOver && !hasNewOutput { return }
        }
        entry.attemptCount = attemptCount + endingCount
        entry.elapsed = System.seconds - start
        entry.ended = Timestamp.iso8601(System.wallNanoseconds)
        // Whatever happens to the ledger, this has not ended the program.
        acquit(suspect)
        keep(entry, source)
        return
      }
    }
  }

  private func acquit(_ suspect: Suspect?) {
    if let suspect { journal?.acquit(suspect.number) }
  }

  /// Waits a second, then two, then four, for a server or a disk that is busy, while others have their
  /// turn; and then for the next turn, for as many seconds as it returns.
  private func pause(before attempt: Int, alone: Bool) -> Double {
    turns.leave()
    let deadline = System.seconds + Double(1 << min(attempt - 1, 5))
    while !isEnding, System.seconds < deadline { System.sleep(milliseconds: 50) }
    let end = System.seconds
    turns.take(alone: alone)
    return System.seconds - end
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
          .words("See the last messages. The next run resumes.")))
    }
    return true
  }

  /// Changes the numbers and shows them; `atOnce` also if that was done a moment ago.
  func note(atOnce: Bool = false, _ change: (inout BatchTally) -> Void) {
    let tally = state.withLock { state in
      change(&state.tally)
      return state.tally
    }
    progress.show(tally, elapsed: System.seconds - start, atOnce: atOnce)
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
          "Stopped after \(QuantityText.count(tally.count, "line")). Finished lines are kept. The "
            + "next run resumes.")
      }
      return .interrupted(by: signal)
    }
    if tally.lostCount > 0 { return .lost }
    return tally.hasFailures ? .failed : .success
  }
}
