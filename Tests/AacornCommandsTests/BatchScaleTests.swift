import AacornRecording
import AacornSystem
import Testing

@testable import AacornCommands

/// Manifests and ledgers with hundreds of lines, for which tables grow several times.
@Suite struct BatchScaleTests {
  private let folder = TemporaryFolder()
  private let interruption = Interruption()

  @Test func everyPartFindsTheConflictsOfItsOutputs() throws {
    var lines = (1...900).map { "\(folder.path("\($0).wav"))" }
    lines[850] = folder.path("./11.wav")
    lines[870] = folder.line("20.m4a", output: "x.m4a")
    let path = try folder.write(lines: lines)
    func faults(_ shard: Shard = Shard()) throws -> [String] {
      var settings = BatchRun.Settings()
      settings.shard = shard
      let check = try ManifestCheck(
        path, settings, written: [path + ".ledger"], interruption)
      #expect(check.faultCount == check.faults.count && !check.hasMoreFaults)
      if shard.count == 1 { #expect(check.lineCount == 900) }
      return check.faults
    }
    let all = try faults()
    #expect(all.count == 2)
    #expect(all.first?.hasPrefix("Lines 11 and 851 both write “") == true)
    #expect(all.last?.hasPrefix("Line 20 would replace “") == true)
    #expect(all.last?.hasSuffix("which line 871 reads.") == true)
    // A fault is found by the shard that writes the affected file.
    let ofParts = try (0..<3).flatMap { try faults(Shard(index: $0, count: 3)) }
    #expect(Set(ofParts) == Set(all))
    #expect(folder.names == ["all.txt"])
  }

  /// Ledgers with several lines for most outputs, not ordered by time.
  private func ledgers() throws -> [[LedgerEntry]] {
    (0..<3).map { (ledger: Int) in
      (0..<400).map { (line: Int) in
        var entry = LedgerEntry()
        entry.line = line + 1
        entry.output = "out/\((line * 7 + ledger * 13) % 311).m4a"
        entry.ended = "2026-11-23T09:00:00.\(100 + (line * 37 + ledger * 11) % 50)Z"
        entry.inputSize = 1000 * ledger + line
        if line % 5 == 0 {
          entry.outcome = .failed
          entry.error = ("bad-input", "It is “no” sound.")
        }
        return entry
      }
    }
  }

  @Test func lastEntryOfEachOutputIsMerged() throws {
    let ledgers = try ledgers()
    var paths: [String] = []
    for (index, entries) in ledgers.enumerated() {
      var lines = entries.map(\.text)
      // A line that a crash truncated has no content, but counts as a line.
      lines.insert(String(lines[3].prefix(40)), at: 100)
      paths.append(try folder.write(lines: lines, to: "\(index).ledger"))
    }
    var latest: [String: LedgerEntry] = [:]
    for entry in ledgers.joined() {
      let last = latest[entry.output]?.endedNumber ?? 0
      if entry.endedNumber >= last { latest[entry.output] = entry }
    }
    var kept: [String] = []
    _ = try LedgerMerge(paths, interruption) { (line) in
      kept.append(String(decoding: line, as: UTF8.self))
    }
    #expect(Set(kept) == Set(latest.values.map { $0.text + "\n" }))
    #expect(kept.count == latest.count && latest.count == 311)
  }

  /// The merge must fail if a ledger is emptied, because its lines would be missing from the
  /// report.
  @Test func ledgerChangedDuringMergeThrows() throws {
    var entry = LedgerEntry()
    entry.output = "a.m4a"
    let first = try folder.write(lines: [entry.text], to: "1.ledger")
    entry.output = "b.m4a"
    let second = try folder.write(lines: [entry.text], to: "2.ledger")
    let failure = #expect(throws: CommandFailure.self) {
      _ = try LedgerMerge([first, second], interruption) { (_) in
        _ = try? folder.write([], to: "2.ledger")
      }
    }
    #expect(failure?.kind == .cannotRead)
    #expect(failure?.message.contains("2.ledger” was changed by another program") == true)
  }

  @Test func ledgerEntriesFollowManifestOrder() throws {
    let lines = (0..<900).map { "in/\($0 * 7 % 900).wav" }
    let manifest = try folder.write(lines: lines)
    var settings = BatchRun.Settings()
    settings.naming = ManifestLine.Naming(folder: nil, suffix: "m4a")
    settings.shard = Shard(index: 1, count: 2)
    // The ledger has half of the outputs, some of them in two lines.
    let ledger = try Ledger(folder.path("ledger"))
    for index in 0..<600 {
      var entry = LedgerEntry()
      let number = index < 500 ? index : index - 400
      entry.output = "in/\(number).m4a"
      entry.outputSize = number + 10_000
      if index >= 500 { entry.sampleCount = number }
      try ledger.append(entry)
    }
    let source = try BatchSource(manifest, ledger, settings, interruption)
    var numbers: [Int] = []
    while let item = try source.next() {
      guard case .line(let line, let known) = item else {
        Issue.record("A line cannot be read.")
        return
      }
      let digits = line.input.utf8.filter { (0x30...0x39).contains($0) }
      let number = digits.reduce(0) { $0 * 10 + Int($1 - 0x30) }
      numbers.append(number)
      #expect(known?.outputSize == (number < 500 ? number + 10_000 : nil))
      #expect((known?.sampleCount == number) == (100..<200).contains(number))
    }
    let expected = (0..<900).map { $0 * 7 % 900 }.filter {
      settings.shard.contains(ManifestLine.number(of: "in/\($0).m4a"))
    }
    #expect(numbers == expected && numbers.count > 300)
  }
}
