import AacornRecording
import AacornSystem
import SoundRigs
import Testing

@testable import AacornCommands

/// The lines in progress when a run was killed, and their treatment in later runs.
@Suite struct BatchCrashTests {
  private let folder = TemporaryFolder()
  private let captured = CapturedConsole()
  /// The manifest of one sound.
  private let manifest: String

  init() throws {
    manifest = try folder.write(lines: [folder.write(wavFile(frames: 3000), to: "a.wav")])
  }

  private var path: String { folder.path("all.txt.ledger.begun") }
  private var journalExists: Bool { (try? System.status(of: path)) != nil }
  private func journal() throws -> CrashJournal {
    try CrashJournal(of: folder.path("all.txt.ledger"))
  }

  private func crashCount(of key: UInt64) throws -> Int { try journal().crashCount(of: key) }

  /// Writes the journal of a run that was killed while these lines were in progress.
  private func leave(_ keys: UInt64...) throws {
    let journal = try journal()
    for key in keys { journal.begin(key) }
  }

  /// The key of a line with the current version of its WAV file.
  private func key(_ text: String) throws -> UInt64 { try BatchWork(ManifestLine(text)).crashKey }
  private func key(ofInput name: String) throws -> UInt64 { try key(folder.path(name)) }

  // MARK: The file

  @Test func crashCountsAddUpUntilThereIsAResult() throws {
    // An output in two threads ended the program once.
    try leave(7, 9, 7)
    try leave(7)
    do {
      let journal = try journal()
      #expect([7, 9, 5].map(journal.crashCount(of:)) == [2, 1, 0])
      journal.begin(9)
      journal.end(9, hasResult: true)
      journal.begin(7)
      journal.end(7, hasResult: false)
    }
    let again = try journal()
    #expect([7, 9].map(again.crashCount(of:)) == [2, 0])
    again.close(keepingCandidates: true)
    #expect(journalExists)
    again.end(7, hasResult: true)
    again.close(keepingCandidates: true)
    #expect(!journalExists)
    for _ in 0...CrashJournal.maxCrashCount { try leave(7) }
    #expect(try journal().crashCount(of: 7) == CrashJournal.maxCrashCount)
  }

  @Test func fileDoesNotGrow() throws {
    try leave(3)
    do {
      let journal = try journal()
      for key in 10..<5000 as Range<UInt64> {
        journal.begin(key)
        journal.begin(8)
        journal.end(key, hasResult: true)
        journal.end(8, hasResult: false)
      }
      journal.begin(8)
    }
    #expect(try folder.read("all.txt.ledger.begun").count == 3 * 21)
    #expect(try [3, 8, 4999].map(crashCount(of:)) == [1, 1, 0])
  }

  /// A power failure or a full disk may damage the file, and a kill may leave duplicates.
  @Test func completeRecordsOfDamagedJournalCount() throws {
    let text = """
      0000000000000007 002
      0000000000000007 001
      0000000000000009 000
      0000000000000008 001
      0000000000
      """
    var bytes = Array(text.utf8)
    for index in 63..<70 { bytes[index] = 0 }
    try folder.write(bytes, to: "all.txt.ledger.begun")
    let journal = try journal()
    #expect([7, 9, 8].map(journal.crashCount(of:)) == [2, 1, 0])
  }

  @Test func candidateIsCountedInFullJournal() {
    let full = (1001...2024).map { "000000000000\($0) 001\n" }.joined()
    let candidates = CrashJournal.candidates(
      in: Array((full + "0000000000001500 000\n0000000000003000 000\n").utf8))
    #expect(candidates?.count == 1024)
    #expect(candidates?.first { $0.key == 0x1500 }?.crashCount == 2)
  }

  @Test func twoRunsDoNotShareIt() throws {
    let first = try journal()
    #expect(throws: CommandFailure.self) { try journal() }
    // A run does not remove the journal of another run.
    try System.remove(path)
    try leave(7)
    first.close(keepingCandidates: false)
    #expect(journalExists)
  }

  @Test func foreignFileAtJournalPathIsKept() throws {
    for bytes in [Array("notes".utf8), wavFile(frames: 3000)] {
      try folder.write(bytes, to: "all.txt.ledger.begun")
      // The batch runs without a journal.
      captured.aacorn("batch", manifest, "-f")
      #expect(try folder.read("all.txt.ledger.begun") == bytes)
    }
    captured.expectErrors("is not a journal of a run. It was not changed.", "would not be skipped")
    // A power failure may leave a file of zeros, which is accepted as an empty journal.
    try folder.write([UInt8](repeating: 0, count: 100), to: "all.txt.ledger.begun")
    try leave(7)
    #expect(try crashCount(of: 7) == 1)
  }

  /// A user who can create links next to the ledger must not choose the file that is written.
  @Test(arguments: ["empty", "missing"])
  func linkWithSameNameIsUnchanged(target: String) throws {
    try folder.write([], to: "empty")
    folder.link("all.txt.ledger.begun", to: target)
    captured.aacorn("batch", manifest)
    #expect(try System.statusOfLink(path).kind == .link)
    #expect(try folder.read("empty") == [] && !folder.names.contains("missing"))
    captured.expectErrors("is not a journal of a run")
  }

  @Test func journalIsNeitherInputNorLedger() throws {
    try leave(7)
    try folder.write(lines: [path])
    captured.aacorn("batch", manifest, status: .usage, errors: "which is a file of this run")
    var entry = LedgerEntry()
    entry.output = "a.m4a"
    let ledger = try folder.write((entry.text + "\n"), to: "all.txt.ledger")
    captured.aacorn("batch", "--merge", ledger, path)
    captured.aacorn("batch", "--merge", path, status: .usage)
    let other = try folder.write(entry.text + "\n", to: "other.begun")
    captured.aacorn("batch", "--merge", path, other, output: "1 file encoded")
  }

  // MARK: Runs

  @Test func inputThatCrashedThreeTimesIsSkipped() throws {
    try folder.write(lines: [
      folder.path("a.wav"), folder.write(wavFile(frames: 3000), to: "b.wav"),
    ])
    for _ in 0..<3 { try leave(key(ofInput: "a.wav")) }
    captured.aacorn("batch", manifest, status: .failed)
    captured.expectErrors("a.wav” crashed the program 3 times")
    captured.expectOutput("1 file encoded")
    #expect(captured.output.contains("1 failed") && !journalExists)
    let entry = try #require(try folder.entries().first { $0.line == 1 })
    #expect(entry.outcome == .failed && entry.error?.keyword == "ended-program")
    #expect(entry.attemptCount == 3 && entry.product.digest == nil && entry.ended != nil)
    #expect(!folder.names.contains("a.m4a") && folder.names.contains("b.m4a"))

    // Later runs skip the input without reading it.
    let before = try folder.read("all.txt.ledger")
    captured.aacorn("batch", manifest, status: .failed)
    #expect(try folder.read("all.txt.ledger") == before)
    let ledger = folder.path("all.txt.ledger")
    captured.aacorn("batch", "--merge", "--json", ledger, status: .failed)
    captured.expectOutput(#""errors":{"ended-program":1}"#)
    captured.aacorn("batch", manifest, "--retry-failed")
    let last = try #require(try folder.entries().last)
    #expect(last.outcome == .done && last.attemptCount == 1)
  }

  @Test func changedInputSettingsAndCoverAreTried() throws {
    for _ in 0..<3 { try leave(key(ofInput: "a.wav")) }
    captured.aacorn("batch", manifest, status: .failed)
    try folder.write(wavFile(frames: 3001), to: "a.wav")
    captured.aacorn("batch", manifest)
    for _ in 0..<3 { try leave(key(ofInput: "a.wav")) }
    captured.aacorn("batch", manifest, "-b", "96k")

    let line = folder.line("a.wav", cover: "c.jpg", output: "c.m4a")
    try folder.write(lines: [line])
    try folder.write([0xFF, 0xD8, 0xFF, 1], to: "c.jpg")
    for _ in 0..<3 { try leave(key(line)) }
    captured.aacorn("batch", manifest, status: .failed)
    captured.aacorn("batch", manifest, status: .failed)
    try folder.write([0xFF, 0xD8, 0xFF, 1, 2], to: "c.jpg")
    captured.aacorn("batch", manifest)
    #expect(try folder.entries().map(\.attemptCount) == [3, 1, 1, 3, 1])
  }

  @Test func retryFailedOptionRetriesCrashedInput() throws {
    for _ in 0..<3 { try leave(key(ofInput: "a.wav")) }
    captured.aacorn("batch", manifest, "--retry-failed")
    #expect(try folder.entries().map(\.attemptCount) == [4])
  }

  @Test func anOutputFromBeforeIsRemembered() throws {
    captured.aacorn("batch", manifest)
    let done = try #require(try folder.entries().last)
    try folder.write(wavFile(frames: 3001), to: "a.wav")
    for _ in 0..<3 { try leave(key(ofInput: "a.wav")) }
    captured.aacorn("batch", manifest, status: .failed)
    let entry = try #require(try folder.entries().last)
    #expect(entry.product.digest == done.product.digest && entry.made == done.source)
  }

  /// Kills during the check of a finished line are not the fault of its input.
  @Test func finishedLineStaysDoneAfterCrashes() throws {
    captured.aacorn("batch", manifest)
    let before = try folder.read("all.txt.ledger")
    for _ in 0..<3 { try leave(key(ofInput: "a.wav")) }
    captured.aacorn("batch", manifest)
    #expect(try folder.read("all.txt.ledger") == before && !journalExists)
    for _ in 0..<3 { try leave(key(ofInput: "a.wav")) }
    try System.remove(folder.path("a.m4a"))
    captured.aacorn("batch", manifest, status: .failed)
  }

  @Test(arguments: [(0, 1, true), (0, 2, false), (1, 2, false), (2, 2, true), (4, 4, true)])
  func crashCountAboveLimitFailsLine(retries: Int, crashes: Int, isTried: Bool) throws {
    for _ in 0..<crashes { try leave(key(ofInput: "a.wav")) }
    let status = captured.run(["batch", manifest, "--retries", "\(retries)"])
    #expect(status == (isTried ? .success : .failed))
    #expect(try folder.entries().last?.attemptCount == crashes + (isTried ? 1 : 0))
    #expect(!journalExists)
  }

  /// If the lines ran in parallel, the short ones would finish first.
  @Test func candidateIsEncodedAlone() throws {
    let inputs = try [400_000, 2000, 400_000, 2000].enumerated().map {
      try folder.write(wavFile(frames: $0.element), to: "\($0.offset).wav")
    }
    try leave(key(ofInput: "1.wav"), key(ofInput: "2.wav"))
    try folder.write(lines: inputs)
    captured.aacorn("batch", manifest, "-j", "4")
    #expect(try folder.entries().map(\.line) == [1, 2, 3, 4])
    #expect(try folder.entries().map(\.attemptCount) == [1, 2, 2, 1])
  }

  @Test func interruptionKeepsCrashCount() throws {
    for _ in 0..<2 { try leave(key(ofInput: "a.wav")) }
    captured.interruption.raise(System.interruptSignal)
    #expect(captured.run(["batch", manifest]) == .interrupted(by: System.interruptSignal))
    #expect(try crashCount(of: key(ofInput: "a.wav")) == 2)
    #expect(CapturedConsole().run(["batch", manifest]) == .success)
    #expect(!journalExists)
  }

  /// The first line gets a result, which the ledger cannot record.
  ///
  /// The input did not cause this error. The second line waits for the first and is not begun.
  @Test func ledgerFailureKeepsOnlyCandidatesWithoutResult() throws {
    try folder.write(
      lines: [200_000, 2000].enumerated().map {
        try folder.write(wavFile(frames: $0.element), to: "\($0.offset).wav")
      })
    let keys = try ["0.wav", "1.wav"].map(key(ofInput:))
    for key in keys + keys { try leave(key) }
    do {
      let ledger = try Ledger(folder.path("all.txt.ledger"))
      let settings = BatchCommand(jobCount: 2)
      let run = try BatchRun(settings, ledger: ledger, total: 2, in: captured.console)
      try System.remove(ledger.path)
      #expect(run.run(try LineReader(manifest, Interruption())) == .cannotWrite)
    }
    #expect(folder.names.contains("0.m4a") && !folder.names.contains("1.m4a"))
    #expect(try keys.map(crashCount(of:)) == [0, 2])
  }

  /// Records of lines that are no longer in the manifest are removed.
  @Test func candidatesWithoutLineAreRemovedAfterRun() throws {
    try leave(5)
    captured.aacorn("batch", manifest)
    #expect(!journalExists)
  }

  /// Starts a command on another thread, and returns a function that waits for its end.
  private func start(_ words: String...) throws -> () -> AacornCommands.ExitStatus? {
    let (console, status) = (captured.console, Lock<AacornCommands.ExitStatus?>(nil))
    let thread = try #require(
      WorkerThread {
        let result = RootCommand.run(words, in: console)
        status.withLock { $0 = result }
      })
    return {
      thread.join()
      return status.withLock { $0 }
    }
  }

  @Test func signalBetweenAttemptsKeepsCrashCount() throws {
    try folder.write(wavFile(frames: 3000), to: "b.wav")
    let lines = [folder.line("a.wav", cover: "never.jpg"), folder.line("b.wav")]
    try folder.write(lines: lines)
    try leave(key(lines[0]))
    let end = try start("batch", manifest, "-j", "2", "--retries", "100")
    let isOtherDone = eventually { (try? folder.entries().map(\.line)) == [2] }
    captured.interruption.raise(System.terminateSignal)
    #expect(end() == .interrupted(by: System.terminateSignal) && isOtherDone)
    #expect(try folder.entries().count == 1)
    #expect(try crashCount(of: key(lines[0])) == 1)
  }

  /// The cover of the first line is missing at first, so the line is retried.
  @Test(arguments: [0, 1])
  func otherLinesRunBetweenAttempts(candidate: Int) throws {
    try folder.write(wavFile(frames: 3000), to: "b.wav")
    let lines = [folder.line("a.wav", cover: "late.jpg"), folder.line("b.wav")]
    try folder.write(lines: lines)
    try leave(key(lines[candidate]))
    let end = try start("batch", manifest, "-j", "2", "--retries", "100")
    let isOtherDone = eventually { (try? folder.entries().map(\.line)) == [2] }
    try folder.write([0xFF, 0xD8, 0xFF, 1], to: "late.jpg")
    #expect(end() == .success && isOtherDone, "\(captured.errors)")
    let entries = try folder.entries()
    #expect(entries.map(\.line) == [2, 1] && entries.map(\.outcome) == [.done, .done])
    #expect(entries[0].attemptCount == (candidate == 1 ? 2 : 1))
    #expect(entries[1].attemptCount >= (candidate == 0 ? 3 : 2) && !journalExists)
  }
}
