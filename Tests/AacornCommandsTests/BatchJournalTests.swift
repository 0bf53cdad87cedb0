import AacornRecording
import AacornSystem
import Testing

@testable import AacornCommands

/// The lines in progress when a run was killed, and their treatment in later runs.
@Suite struct BatchJournalTests {
  private let folder = TemporaryFolder()
  private let captured = CapturedConsole()
  /// The manifest of one sound.
  private let manifest: String

  init() throws {
    manifest = try folder.write(lines: [folder.write(wavFile(frames: 3000), to: "a.wav")])
  }

  private var path: String { folder.path("all.txt.ledger.begun") }
  private var journalExists: Bool { (try? System.status(of: path)) != nil }

  private func journal(slots: Int = 2) throws -> BatchJournal {
    try BatchJournal(of: folder.path("all.txt.ledger"), slotCount: slots)
  }

  /// Writes the journal of a run that was killed while these lines were in progress.
  private func leave(_ numbers: UInt64...) throws {
    let journal = try journal(slots: numbers.count)
    for (slot, number) in numbers.enumerated() { journal.begin(number, in: slot) }
  }

  /// The number of times that the program ended while it encoded an output, as the next run counts
  /// it.
  private func crashCount(_ number: UInt64) throws -> Int {
    try journal().crashCount(of: number)
  }

  /// The journal's number for an output, which depends on the current version of the WAV file next
  /// to it.
  private func number(_ output: String) throws -> UInt64 {
    try attemptNumber(folder.path(FileName.replacingSuffix(output, with: "wav")))
  }

  private func attemptNumber(_ text: String) throws -> UInt64 {
    BatchWork(try ManifestLine(text)).attemptNumber
  }

  // MARK: The journal file

  @Test func crashCountsAddUpUntilThereIsAResult() throws {
    try leave(7, 9)
    try leave(7)
    try leave(0)
    do {
      let journal = try journal()
      #expect([7, 9, 0, 5].map(journal.crashCount(of:)) == [2, 1, 1, 0])
      journal.markSucceeded(9)
      #expect(journal.crashCount(of: 9) == 0)
    }
    let again = try journal(slots: 5)
    #expect([7, 9, 0].map(again.crashCount(of:)) == [2, 0, 1])
    again.markSucceeded(0)
    again.close(keepingCandidates: true)
    #expect(journalExists)
    again.markSucceeded(7)
    again.close(keepingCandidates: true)
    #expect(!journalExists)
  }

  @Test func onlyUnfinishedLinesBecomeCandidates() throws {
    try leave(3)
    do {
      let journal = try journal()
      for number in 10..<5000 as Range<UInt64> {
        journal.begin(number, in: 1)
        journal.end(in: 1)
      }
      journal.begin(8, in: 1)
    }
    // One record for each of the two threads, and one for the candidate from the earlier run.
    #expect(try folder.read("all.txt.ledger.begun").count == 3 * JournalRecord.byteCount)
    let journal = try journal()
    #expect([3, 8, 4999].map(journal.crashCount(of:)) == [1, 1, 0])
    journal.close(keepingCandidates: false)
    #expect(!journalExists)
  }

  @Test func crashCountIsLimited() throws {
    // An output in two threads ended the program once.
    try leave(7, 7)
    #expect(try crashCount(7) == 1)
    for _ in 0...JournalRecord.maxCrashCount { try leave(7) }
    #expect(try crashCount(7) == JournalRecord.maxCrashCount)
  }

  @Test func duplicateRecordsAreMerged() throws {
    // A run leaves such records if it is killed while it rewrites an earlier run's journal.
    let records: [(UInt64, Int)] = [
      (0, 0), (7, 2), (9, 1), (9, 2), (7, 1), (8, 0), (8, 0), (9, 0),
    ]
    let bytes = records.flatMap { JournalRecord(number: $0.0, crashCount: $0.1).bytes }
    try folder.write(bytes, to: "all.txt.ledger.begun")
    let journal = try journal()
    #expect([7, 8, 9].map(journal.crashCount(of:)) == [2, 1, 3])
    // The rewritten file has no remainder of the old content.
    #expect(try folder.read("all.txt.ledger.begun").count == 5 * JournalRecord.byteCount)
  }

  @Test func moreThreadsThanItHasRoomForDisturbNothing() throws {
    try leave(7)
    do {
      let journal = try journal(slots: 5000)
      let slot = BatchJournal.maxSlotCount
      // The record of the crash candidate is in this slot.
      journal.begin(8, in: slot)
      journal.end(in: slot)
      journal.begin(9, in: slot - 1)
    }
    let journal = try journal(slots: 5000)
    #expect([7, 8, 9].map(journal.crashCount(of:)) == [1, 0, 1])
  }

  @Test func foreignFileAtJournalPathIsKept() throws {
    for bytes in [Array("notes".utf8), wavFile(frames: 3000)] {
      try folder.write(bytes, to: "all.txt.ledger.begun")
      #expect(throws: CommandFailure.self) { try journal() }
      // The batch runs without a journal.
      captured.aacorn("batch", manifest, "-f")
      #expect(try folder.read("all.txt.ledger.begun") == bytes)
    }
    captured.expectErrors("is not a journal of a run. It was not changed.", "would not be skipped")
    // A power failure may leave a file of zeros, which is accepted as an empty journal.
    try folder.write([UInt8](repeating: 0, count: 100), to: "all.txt.ledger.begun")
    #expect(try crashCount(0) == 0)
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

  // MARK: Runs

  @Test func inputThatCrashedThreeTimesIsSkipped() throws {
    try folder.write(lines: [
      folder.path("a.wav"), folder.write(wavFile(frames: 3000), to: "b.wav"),
    ])
    for _ in 0..<3 { try leave(number("a.m4a")) }
    let metrics = folder.path("numbers.prom")
    captured.aacorn("batch", manifest, "--metrics", metrics, status: .failed)
    captured.expectErrors("a.wav” crashed the program 3 times")
    #expect(captured.output.contains("1 file encoded") && captured.output.contains("1 failed"))
    #expect(!journalExists)
    let text = try folder.text("numbers.prom")
    #expect(text.contains("status=\"failed\"} 1\n") && text.contains("status=\"done\"} 1\n"))
    let entry = try #require(try folder.entries().first { $0.line == 1 })
    #expect(entry.outcome == .failed && entry.error?.keyword == "ended-program")
    #expect(entry.attemptCount == 3 && entry.outputDigest == nil && entry.ended != nil)
    #expect(!folder.names.contains("a.m4a") && folder.names.contains("b.m4a"))

    // Later runs skip the input without reading it.
    let before = try folder.read("all.txt.ledger")
    captured.aacorn("batch", manifest, status: .failed)
    #expect(try folder.read("all.txt.ledger") == before)
    let ledger = folder.path("all.txt.ledger")
    captured.aacorn("batch", "--merge", "--json", ledger, status: .failed)
    captured.expectOutput(#""errors":{"ended-program":1}"#)

    // The input is tried again with `--retry-failed`, or after a change.
    captured.aacorn("batch", manifest, "--retry-failed")
    let last = try #require(try folder.entries().last)
    #expect(last.outcome == .done && last.attemptCount == 1)
  }

  @Test func changedInputOrSettingsAreTriedAfterCrashes() throws {
    for _ in 0..<3 { try leave(number("a.m4a")) }
    captured.aacorn("batch", manifest, status: .failed)
    try folder.write(wavFile(frames: 3001), to: "a.wav")
    captured.aacorn("batch", manifest)
    for _ in 0..<3 { try leave(number("a.m4a")) }
    captured.aacorn("batch", manifest, "-b", "96k")
    #expect(try folder.entries().map(\.attemptCount) == [3, 1, 1])
  }

  @Test func anotherCoverEndedNothing() throws {
    try folder.write([0xFF, 0xD8, 0xFF, 1], to: "c.jpg")
    let line = folder.line("a.wav", cover: "c.jpg")
    let before = try attemptNumber(line)
    #expect(try attemptNumber(line) == before)
    try folder.write([0xFF, 0xD8, 0xFF, 1, 2], to: "c.jpg")
    #expect(try attemptNumber(line) != before)
  }

  @Test func retryFailedOptionRetriesCrashedInput() throws {
    for _ in 0..<3 { try leave(number("a.m4a")) }
    captured.aacorn("batch", manifest, "--retry-failed")
    #expect(try folder.entries().map(\.attemptCount) == [4])
  }

  /// The program may have ended after the line's entry in the ledger, but before the journal
  /// recorded the next line.
  @Test func finishedLineStaysDoneAfterCrashes() throws {
    captured.aacorn("batch", manifest)
    let before = try folder.read("all.txt.ledger")
    for _ in 0..<3 { try leave(number("a.m4a")) }
    captured.aacorn("batch", manifest)
    #expect(try folder.read("all.txt.ledger") == before)
    #expect(!journalExists)
  }

  /// Runs the manifest after its ledger was removed.
  private func runWithoutLedger(_ settings: BatchRun.Settings, lineCount: Int) throws {
    let ledger = try Ledger(folder.path("all.txt.ledger"))
    let source = try BatchSource(manifest, ledger, settings, Interruption())
    try System.remove(ledger.path)
    let run = BatchRun(
      settings, ledger: ledger, journal: try journal(), total: lineCount, in: captured.console)
    run.work(source)
    #expect(run.finish() == .cannotWrite)
  }

  /// The next run finds the output.
  ///
  /// A missing entry in the ledger is not the fault of the input.
  @Test func resultClearsCandidateDespiteLedgerFailure() throws {
    for _ in 0..<2 { try leave(number("a.m4a")) }
    try runWithoutLedger(BatchRun.Settings(), lineCount: 1)
    #expect(folder.names.contains("a.m4a") && !folder.names.contains("all.txt.ledger"))
    #expect(try crashCount(number("a.m4a")) == 0)
  }

  @Test func anOutputFromBeforeIsRemembered() throws {
    captured.aacorn("batch", manifest)
    let done = try #require(try folder.entries().last)
    try folder.write(wavFile(frames: 3001), to: "a.wav")
    for _ in 0..<3 { try leave(number("a.m4a")) }
    captured.aacorn("batch", manifest, status: .failed)
    let entry = try #require(try folder.entries().last)
    #expect(entry.outputDigest == done.outputDigest && entry.made == done.source)
  }

  @Test(arguments: [(0, 1, true), (0, 2, false), (1, 2, false), (2, 2, true), (4, 4, true)])
  func crashCountAboveLimitFailsLine(retries: Int, crashes: Int, isTried: Bool) throws {
    for _ in 0..<crashes { try leave(number("a.m4a")) }
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
    try leave(number("1.m4a"), number("2.m4a"))
    try folder.write(lines: inputs)
    captured.aacorn("batch", manifest, "-j", "4")
    #expect(try folder.entries().map(\.line) == [1, 2, 3, 4])
    #expect(try folder.entries().map(\.attemptCount) == [1, 2, 2, 1])
  }

  @Test func interruptionKeepsCrashCount() throws {
    for _ in 0..<2 { try leave(number("a.m4a")) }
    captured.interruption.raise(System.interruptSignal)
    #expect(captured.run(["batch", manifest]) == .interrupted(by: System.interruptSignal))
    #expect(try crashCount(number("a.m4a")) == 2)
    #expect(CapturedConsole().run(["batch", manifest]) == .success)
    #expect(!journalExists)
  }

  /// The candidate waits for the long line, and the run ends because the ledger cannot record that
  /// line.
  @Test func stoppedRunBeginsNoCandidate() throws {
    try folder.write(
      lines: [200_000, 2000].enumerated().map {
        try folder.write(wavFile(frames: $0.element), to: "\($0.offset).wav")
      })
    for _ in 0..<2 { try leave(number("1.m4a")) }
    var settings = BatchRun.Settings()
    settings.jobCount = 2
    try runWithoutLedger(settings, lineCount: 2)
    #expect(folder.names.contains("0.m4a") && !folder.names.contains("1.m4a"))
    #expect(try crashCount(number("1.m4a")) == 2)
  }

  /// Records of lines that are no longer in the manifest are removed.
  @Test func candidatesWithoutLineAreRemovedAfterRun() throws {
    try leave(5)
    captured.aacorn("batch", manifest)
    #expect(!journalExists)
  }

  /// A user who can create links next to the ledger must not choose the file that is written.
  @Test func linkWithSameNameIsUnchanged() throws {
    for target in ["empty", "missing"] {
      try folder.write([], to: "empty")
      folder.link("all.txt.ledger.begun", to: target)
      captured.aacorn("batch", "--force", manifest)
      #expect(try System.statusOfLink(path).kind == .link)
      #expect(try folder.read("empty") == [])
      #expect((try? System.status(of: folder.path("missing"))) == nil)
      try System.remove(path)
    }
    let messages = captured.errors.split(separator: "\n").filter {
      $0.contains("is not a journal of a run")
    }
    #expect(messages.count == 2, "\(captured.errors)")
  }

  @Test func journalPathCannotBeInputOrLedger() throws {
    try leave(7)
    try folder.write(lines: [path])
    captured.aacorn("batch", manifest, status: .usage, errors: "which this run writes")
    var entry = LedgerEntry()
    entry.output = "a.m4a"
    let ledger = try folder.write((entry.text + "\n"), to: "all.txt.ledger")
    captured.aacorn("batch", "--merge", ledger, path)
    captured.aacorn("batch", "--merge", path, status: .usage)
  }
}
