import AacornRecording
import AacornSystem
import SoundRigs
import Testing

@testable import AacornCommands

/// Candidates for a crash of the program, which are processed separately from other lines.
@Suite struct BatchCrashCandidateTests {
  private let folder = TemporaryFolder()
  private let captured = CapturedConsole()

  init() throws {
    for name in ["a.wav", "b.wav"] { try folder.write(wavFile(frames: 3000), to: name) }
  }

  /// Settings of a trusted manifest, which may read covers from pipes.
  ///
  /// A line whose cover is a pipe without a writer stays in progress.
  private static var settings: BatchRun.Settings {
    var settings = BatchRun.Settings()
    settings.naming.isTrusted = true
    return settings
  }

  private func line(_ text: String) throws -> ManifestLine {
    try ManifestLine(text, Self.settings.naming)
  }

  private func work(
    _ line: ManifestLine, known: LedgerEntry? = nil, trustsTimes: Bool = false,
    _ digests: FileDigests = FileDigests()
  ) -> BatchWork {
    var options = BatchWork.Options()
    options.trustsTimes = trustsTimes
    return BatchWork(line, known: known, options, digests: digests)
  }

  private func made(_ work: BatchWork) throws -> LedgerEntry {
    guard case .attempted(let entry, _) = try work.run(begin: {}), entry.isMade else {
      throw SystemError.notFound
    }
    return entry
  }

  // MARK: Records in the journal

  /// Whether a line that was done earlier is skipped, and whether the journal records it.
  private func passingOver(_ work: BatchWork) throws -> (isSkipped: Bool, isRecorded: Bool) {
    var isRecorded = false
    guard case .skipped = try work.run(begin: { isRecorded = true }) else {
      return (false, isRecorded)
    }
    return (true, isRecorded)
  }

  @Test func attemptIsRecordedOnlyBeforeReading() throws {
    try folder.write([0xFF, 0xD8, 0xFF, 1], to: "c.jpg")
    for line in try [line(folder.line("a.wav")), line(folder.line("b.wav", cover: "c.jpg"))] {
      let digests = FileDigests()
      let known = try made(work(line, digests))
      let read = try passingOver(work(line, known: known, digests))
      #expect(read.isSkipped && read.isRecorded)
      let trusted = try passingOver(work(line, known: known, trustsTimes: true, digests))
      #expect(trusted.isSkipped && !trusted.isRecorded)
      // A cover that was read only by another run is read again.
      let rerun = try passingOver(work(line, known: known, trustsTimes: true))
      #expect(rerun.isSkipped && rerun.isRecorded == !line.settings.words.isEmpty)
    }
  }

  @Test func attemptIsRecordedBeforeCoverIsRead() throws {
    let cover = try folder.write([0xFF, 0xD8, 0xFF, 1], to: "c.jpg")
    let digests = FileDigests()
    // The run reads nothing but the cover.
    let work = work(try line(folder.line("missing.wav", cover: "c.jpg")), digests)
    var wasRead: [Bool] = []
    guard
      case .attempted(let entry, _) = try work.run(
        begin: { wasRead.append(digests.keptDigest(of: cover) != nil) })
    else {
      Issue.record("The missing input was skipped.")
      return
    }
    #expect(wasRead == [false] && entry.outcome == .postponed)
    #expect(digests.keptDigest(of: cover) != nil)
  }

  @Test func aSlotIsWrittenOnceAndOnlyIfSomethingBegins() throws {
    func records() throws -> [UInt64] {
      let bytes = try folder.read("ledger.begun")
      return stride(from: 0, to: bytes.count, by: JournalRecord.byteCount).compactMap {
        JournalRecord(bytes[$0..<$0 + JournalRecord.byteCount])?.number
      }
    }
    let journal = try BatchJournal(of: folder.path("ledger"), slotCount: 2)
    journal.begin(7, in: 1)
    let slot = JournalSlot(journal, slot: 1)
    slot.end()
    #expect(try records() == [0, 7])
    var count: UInt64 = 20
    func number() -> UInt64 {
      count += 1
      return count
    }
    for _ in 0..<3 { slot.begin(number()) }
    #expect(try records() == [0, 21])
    slot.end()
    #expect(try records() == [0, 0])
    slot.begin(number())
    #expect(try records() == [0, 22])
  }

  // MARK: Decisions

  @Test func coverOfFailedCandidateStaysUnread() throws {
    let cover = try folder.write([0xFF, 0xD8, 0xFF, 1], to: "c.jpg")
    let line = try line(folder.line("a.wav", cover: "c.jpg"))
    let digests = FileDigests()
    let crashEntry = try #require(work(line, digests).giveUp(afterCrashes: 3))
    #expect(crashEntry.hasEndedProgram && digests.keptDigest(of: cover) == nil)
    // Later runs do not read the cover either, while it is unchanged.
    var isRecorded = false
    guard
      case .failedBefore(let again) = try work(line, known: crashEntry, digests)
        .run(begin: { isRecorded = true })
    else {
      Issue.record("The line was not skipped.")
      return
    }
    #expect(again == crashEntry && !isRecorded && digests.keptDigest(of: cover) == nil)
    try folder.write([0xFF, 0xD8, 0xFF, 1, 2], to: "c.jpg")
    #expect(try made(work(line, known: crashEntry)).outcome == .done)
  }

  /// Another line of this run has already read the cover.
  @Test func finishedLineStaysDoneIfCoverWasRead() throws {
    try folder.write([0xFF, 0xD8, 0xFF, 1], to: "c.jpg")
    let line = try line(folder.line("a.wav", cover: "c.jpg"))
    let digests = FileDigests()
    let known = try made(work(line, digests))
    #expect(work(line, known: known, digests).giveUp(afterCrashes: 3) == nil)
    // A cover that no line has read may be the cause of the crash.
    #expect(work(line, known: known, FileDigests()).giveUp(afterCrashes: 3) != nil)
  }

  // MARK: Exclusive access

  @Test func exclusiveWaiterRunsBeforeLaterWaiter() throws {
    let turns = ExclusiveGate()
    for _ in 0..<2 { turns.enter(alone: false) }
    turns.leave()
    let order = Lock<[String]>([])
    let alone = try #require(
      WorkerThread {
        turns.enter(alone: true)
        order.withLock { $0.append("alone") }
        turns.leave()
      })
    #expect(eventually { turns.isAwaited })
    let other = try #require(
      WorkerThread {
        turns.enter(alone: false)
        order.withLock { $0.append("other") }
        turns.leave()
      })
    order.withLock { $0.append("first") }
    turns.leave()
    for thread in [alone, other] { thread.join() }
    #expect(order.withLock { $0 } == ["first", "alone", "other"])
    #expect(!turns.isAwaited)
  }

  // MARK: Runs

  /// A run with two threads, after a run that ended with a line in progress.
  private final class Session {
    let run: BatchRun
    private let thread: WorkerThread

    init(
      _ lines: [String], candidate: UInt64, in folder: TemporaryFolder, _ console: Console
    ) throws {
      let manifest = try folder.write(lines: lines)
      let path = folder.path("all.txt.ledger")
      do { try BatchJournal(of: path, slotCount: 1).begin(candidate, in: 0) }
      var settings = BatchCrashCandidateTests.settings
      (settings.jobCount, settings.retryCount) = (2, 100)
      let ledger = try Ledger(path)
      let source = try BatchSource(manifest, ledger, settings, console.interruption)
      let run = BatchRun(
        settings, ledger: ledger, journal: try BatchJournal(of: path, slotCount: 2),
        total: lines.count, in: console)
      self.run = run
      thread = try #require(WorkerThread { run.work(source) })
    }

    /// Waits for the end of the run.
    func end() -> AacornCommands.ExitStatus {
      thread.join()
      return run.finish()
    }
  }

  private func start(_ lines: [String], candidate: String) throws -> Session {
    let number = work(try line(candidate)).attemptNumber
    return try Session(lines, candidate: number, in: folder, captured.console)
  }

  /// The records in the journal.
  private func records() -> [JournalRecord] {
    let bytes = (try? folder.read("all.txt.ledger.begun")) ?? []
    return stride(from: 0, to: bytes.count, by: JournalRecord.byteCount).compactMap {
      JournalRecord(bytes[$0..<min(bytes.count, $0 + JournalRecord.byteCount)])
    }.filter { $0.number != 0 }
  }

  /// The numbers of the lines in progress.
  private func inWork() -> [UInt64] {
    records().filter { $0.crashCount == 0 }.map(\.number)
  }

  private func entries() -> [LedgerEntry] {
    ((try? folder.read("all.txt.ledger")) ?? []).split(separator: UInt8(ascii: "\n")).compactMap {
      LedgerEntry($0)
    }
  }

  /// The output of the first line cannot be written before its folder exists.
  @Test(arguments: [0, 1])
  func otherLinesRunBetweenAttempts(candidate: Int) throws {
    let lines = [folder.line("a.wav", output: "late/a.m4a"), folder.line("b.wav")]
    let session = try start(lines, candidate: lines[candidate])
    // The first line would be retried for an hour.
    let isOtherDone = eventually { entries().map(\.line) == [2] }
    try System.makeFolder(folder.path("late"))
    #expect(isOtherDone, "\(captured.errors)")
    #expect(session.end() == .success, "\(captured.errors)")
    #expect(entries().map(\.line) == [2, 1])
    let attempts = entries().map(\.attemptCount)
    #expect(attempts[0] == (candidate == 1 ? 2 : 1), "\(attempts)")
    #expect(attempts[1] >= (candidate == 0 ? 3 : 2), "\(attempts)")
    #expect(!folder.names.contains("all.txt.ledger.begun"))
  }

  @Test func signalDuringRetryDelayKeepsCrashCount() throws {
    folder.makePipe("never")
    let lines = [folder.line("a.wav", output: "late/a.m4a"), folder.line("b.wav", cover: "never")]
    let numbers = try lines.map { work(try line($0)).attemptNumber }
    let session = try start(lines, candidate: lines[0])
    let waits = eventually { session.run.gate.isAwaited && inWork() == [numbers[1]] }
    #expect(waits, "\(inWork())")
    captured.interruption.raise(System.terminateSignal)
    #expect(session.end() == .interrupted(by: System.terminateSignal))
    #expect(entries().isEmpty && inWork().isEmpty)
    #expect(records().map(\.number) == [numbers[0]] && records().map(\.crashCount) == [1])
  }
}

extension ExclusiveGate {
  /// Whether a thread waits for exclusive access.
  fileprivate var isAwaited: Bool { state.withLock { $0.waitingCount > 0 } }
}
