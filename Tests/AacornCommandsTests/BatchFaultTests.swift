import AacornRecording
import AacornSystem
import SoundRigs
import Testing

@testable import AacornCommands

/// Interference of other programs with inputs and outputs while a line is processed.
@Suite struct BatchFaultTests {
  private let folder = TemporaryFolder()

  init() throws {
    try folder.write(wavFile(frames: 3000), to: "a.wav")
  }

  private func work(replacing: Bool = false) throws -> BatchWork {
    var settings = BatchCommand()
    settings.replacesExisting = replacing
    return BatchWork(try ManifestLine(folder.line("a.wav", output: "a.m4a")), settings)
  }

  private func entry(of work: inout BatchWork) throws -> LedgerEntry {
    guard case .attempted(let entry, _) = try work.attempt() else {
      throw SystemError.notFound
    }
    return entry
  }

  /// `--force` does not apply to a recording that ended between two attempts.
  @Test func outputBusyInFirstAttemptIsKept() throws {
    var work = try work(replacing: true)
    try folder.write([1, 2, 3], to: "a.m4a")
    let holder = try #require(try System.takeFile(folder.path("a.m4a")))
    let taken = try entry(of: &work)
    #expect(taken.outcome == .postponed && taken.error?.keyword == "busy")
    try System.close(holder)
    let again = try entry(of: &work)
    #expect(again.outcome == .postponed && again.error?.keyword == "exists")
    #expect(try folder.read("a.m4a") == [1, 2, 3])
  }

  /// Identical bytes from another worker count as the worker's own output.
  @Test func identicalOutputOfAnotherWorkerIsDone() throws {
    var first = try work()
    #expect(try entry(of: &first).outcome == .done)
    var late = try work(replacing: true)
    late.outputWasBusy = true
    #expect(try entry(of: &late).outcome == .done)
  }

  /// An attempt may replace the output of an earlier attempt.
  @Test func theNextAttemptReplacesWhatWasMadeOfAChangedInput() throws {
    var work = try work()
    var first = try entry(of: &work)
    first.outcome = .postponed
    try folder.write(wavFile(frames: 5000), to: "a.wav")
    work.known = first
    let second = try entry(of: &work)
    #expect(second.outcome == .done && second.product.sampleCount == 5000)
  }

  // MARK: Retries

  /// Starts a command on another thread, and returns a function that waits for its end.
  private func start(
    _ words: String..., in captured: CapturedConsole
  ) throws -> () -> AacornCommands.ExitStatus? {
    let (console, status) = (captured.console, Lock<AacornCommands.ExitStatus?>(nil))
    let thread = try #require(
      WorkerThread("test") {
        let result = RootCommand.run(words, in: console)
        status.withLock { $0 = result }
      })
    return {
      thread.join()
      return status.withLock { $0 }
    }
  }

  /// The cover of the first line is missing at first, so the line is retried.
  @Test func otherLinesRunBetweenAttempts() throws {
    try folder.write(wavFile(frames: 3000), to: "b.wav")
    let manifest = try folder.write(lines: [
      folder.line("a.wav", cover: "late.jpg"), folder.line("b.wav"),
    ])
    let captured = CapturedConsole()
    let end = try start("batch", manifest, "-j", "2", "--retries", "100", in: captured)
    let isOtherDone = eventually { (try? folder.entries().map(\.line)) == [2] }
    try folder.write([0xFF, 0xD8, 0xFF, 1], to: "late.jpg")
    #expect(end() == .success && isOtherDone, "\(captured.errors)")
    let entries = try folder.entries()
    #expect(entries.map(\.line) == [2, 1] && entries.map(\.outcome) == [.done, .done])
    #expect(entries[0].attemptCount == 1 && entries[1].attemptCount >= 2)
  }

  @Test func signalEndsTheWaitForARetry() throws {
    let manifest = try folder.write(lines: [folder.line("a.wav", cover: "never.jpg")])
    let captured = CapturedConsole()
    let end = try start("batch", manifest, "--retries", "100", in: captured)
    let isRunning = eventually { folder.names.contains("all.txt.ledger") }
    captured.interruption.raise(System.terminateSignal)
    #expect(end() == .interrupted(by: System.terminateSignal) && isRunning)
    #expect(!folder.names.contains("a.m4a"))
  }

  @Test func lineThatBecameInvalidEndsTheRun() throws {
    let manifest = try folder.write(lines: [#"{"inputs": "a.wav"}"#, folder.line("a.wav")])
    let captured = CapturedConsole()
    let run = BatchRun(BatchCommand(jobCount: 1), ledger: nil, total: 2, in: captured.console)
    #expect(run.run(try LineReader(manifest, Interruption())) == .cannotRead)
    captured.expectErrors("Line 1 of the manifest")
    #expect(!folder.names.contains("a.m4a"))
  }

  @Test(arguments: [0, 2])
  func manifestOfAnotherLengthThanCheckedFailsTheRun(total: Int) throws {
    let manifest = try folder.write(lines: [folder.line("a.wav")])
    let captured = CapturedConsole()
    let run = BatchRun(BatchCommand(jobCount: 1), ledger: nil, total: total, in: captured.console)
    #expect(run.run(try LineReader(manifest, Interruption())) == .cannotRead)
    captured.expectErrors("The manifest was changed by another program")
    #expect(folder.names.contains("a.m4a"))
  }

  @Test func runWithoutItsLedgerBeginsNoOtherLine() throws {
    let manifest = try folder.write(
      lines: ["b.m4a", "c.m4a"].map { folder.line("a.wav", output: $0) })
    let ledger = try Ledger(folder.path("all.txt.ledger"))
    let captured = CapturedConsole()
    let run = BatchRun(
      BatchCommand(jobCount: 1), ledger: ledger, total: 2, in: captured.console)
    try System.remove(ledger.path)
    #expect(run.run(try LineReader(manifest, Interruption())) == .cannotWrite)
    #expect(folder.names.contains("b.m4a") && !folder.names.contains("c.m4a"))
  }
}
