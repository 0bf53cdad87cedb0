import AacornRecording
import AacornSystem
import SoundRigs
import Testing

@testable import AacornCommands

/// The final check of a run's outputs, and its report.
@Suite struct BatchLookBackTests {
  private let folder = TemporaryFolder()

  /// A ledger with a line from an earlier run and lines from this run.
  private func ledger(_ names: [String]) throws -> Ledger {
    var entry = LedgerEntry()
    entry.output = "old.m4a"
    let path = try folder.write((entry.text + "\n"), to: "ledger")
    let ledger = try Ledger(path)
    for name in names {
      entry.output = name
      try ledger.append(entry)
    }
    return ledger
  }

  /// Each of three workers waits until all three have started.
  @Test func allWorkersLookAtOnce() throws {
    let names = (0..<7).map { "\($0).m4a" }
    let ledger = try ledger(names)
    let seen = Lock<[String]>([])
    let metCount = Lock(0)
    try ledger.forEachOwnEntry(jobCount: 3, Interruption()) { (entry, place) in
      seen.withLock { $0.append(entry.output) }
      let haveMet = eventually { seen.withLock(\.count) >= 3 }
      if haveMet, ledger.entry(at: place) == entry { metCount.withLock { $0 += 1 } }
      // Entries that are added during the check are not checked.
      var more = entry
      more.output = "more.m4a"
      _ = try? ledger.append(more)
    }
    #expect(metCount.withLock { $0 } == names.count)
    #expect(seen.withLock { $0.sorted() } == names)
  }

  @Test func firstFailureEndsRecheck() throws {
    let ledger = try ledger((0..<100).map { "\($0).m4a" })
    let count = Lock(0)
    let failure = #expect(throws: CommandFailure.self) {
      try ledger.forEachOwnEntry(jobCount: 2, Interruption()) {
        (_, _) throws(CommandFailure) in
        count.withLock { $0 += 1 }
        throw CommandFailure(.cannotWrite, "The disk is full.")
      }
    }
    #expect(failure?.kind == .cannotWrite)
    #expect((1...2).contains(count.withLock { $0 }))
  }

  @Test func recheckAndLostOutputsAreReported() throws {
    let inputs = try ["a.wav", "b.wav"].map { try folder.write(wavFile(frames: 3000), to: $0) }
    let path = try folder.write(lines: inputs)
    let (output, metrics) = (folder.path("a.m4a"), folder.path("numbers.prom"))
    let (printed, shown, numbersMeanwhile) = (Lock(""), Lock(""), Lock<String?>(nil))
    @Sendable func numbers() -> String {
      String(decoding: (try? folder.read("numbers.prom")) ?? [], as: UTF8.self)
    }
    let console = Console(
      output: TextStream { bytes in
        let text = String(decoding: bytes, as: UTF8.self)
        printed.withLock { $0 += text }
        // Another program removes the first output as soon as it is complete.
        if text.contains(#""status":"done""#) { try? System.remove(output) }
      },
      errors: TextStream { bytes in
        let text = String(decoding: bytes, as: UTF8.self)
        shown.withLock { $0 += text }
        if text.contains("0 of 2 outputs checked again") {
          numbersMeanwhile.withLock { $0 = $0 ?? numbers() }
        }
      },
      isLive: true, columns: 200, interruption: Interruption())
    let arguments = ["batch", path, "--json", "-j", "1", "--metrics", metrics]
    #expect(RootCommand.run(arguments, in: console) == .lost)
    console.output.flush()
    console.errors.flush()

    let meanwhile = numbersMeanwhile.withLock { $0 } ?? ""
    for text in ["looking_back{shard=\"1/1\"} 1\n", "lost_outputs_total{shard=\"1/1\"} 0\n"] {
      #expect(meanwhile.contains("aacorn_batch_" + text), "\(meanwhile)")
    }
    let end = numbers()
    for text in [
      "looking_back{shard=\"1/1\"} 0\n", "lost_outputs_total{shard=\"1/1\"} 1\n",
      "checked_outputs_total{shard=\"1/1\"} 2\n", "lines_total{shard=\"1/1\",status=\"done\"} 2\n",
    ] { #expect(end.contains("aacorn_batch_" + text), "\(end)") }
    #expect(shown.withLock { $0 }.contains("Another program removed “"))
    // The lines of the ledger, and a summary object.
    let lines = printed.withLock { $0 }.split(separator: "\n")
    #expect(lines.compactMap { LedgerEntry(Array($0.utf8)[...]) }.count == 3)
    let last = try #require(lines.last)
    #expect(lines.count == 4 && last.hasPrefix(#"{"done":2,"#), "\(last)")
    #expect(last.contains(#""postponed":0,"lost":1,"retries":0,"#), "\(last)")
  }

  @Test func progressLineCountsRecheckedOutputs() {
    var tally = BatchTally()
    (tally.doneCount, tally.damagedCount, tally.skippedCount) = (5, 2, 9)
    tally.isRechecking = true
    tally.checkedCount = 3
    #expect(BatchProgress.line(tally, 16, elapsed: 2) == "3 of 7 outputs checked again")
    tally.lostCount = 1
    #expect(BatchProgress.line(tally, 16, elapsed: 2) == "3 of 7 outputs checked again  1 lost")
    tally.isRechecking = false
    #expect(BatchProgress.line(tally, 16, elapsed: 0) == "16 of 16 lines")
  }

  @Test func aMergeCountsWhatIsLost() throws {
    var entry = LedgerEntry()
    var text = ""
    for name in ["a.m4a", "b.m4a", "c.m4a"] {
      entry.output = name
      text += (name == "b.m4a" ? entry.markedAsLost(.removed) : entry).text + "\n"
    }
    let path = try folder.write(text, to: "ledger")
    let captured = CapturedConsole(running: ["batch", "--merge", "--json", path], status: .failed)
    #expect(captured.output.contains(#""done":2,"#) && captured.output.contains(#""postponed":1,"#))
    captured.expectOutput(#","lost":1,"#)
  }
}
