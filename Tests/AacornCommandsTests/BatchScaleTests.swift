import AacornRecording
import AacornSystem
import Testing

@testable import AacornCommands

/// Comparisons of more records than fit into memory.
///
/// Comparing them in groups gives the same result.
@Suite struct BatchScaleTests {
  private let folder: TemporaryFolder
  private let interruption = Interruption()

  /// A memory limit so low that hundreds of lines need many groups of several blocks each.
  private static let few = 64

  init() throws { folder = try TemporaryFolder() }

  private func write(_ lines: [String], to name: String) throws -> String {
    try folder.write(Array(lines.map { $0 + "\n" }.joined().utf8), to: name)
  }

  private func reference(_ number: Int, at line: Int) -> LedgerReference {
    LedgerReference(
      ManifestLine.number(of: "\(number).m4a"), ended: line % 5, line: line)
  }

  @Test(arguments: [1, 16, 64, 1 << 20])
  func recordsMeetThoseOfTheSameNumber(limit: Int) throws {
    let spool = RecordSpool<LedgerReference>(
      beside: folder.path("x"), limit: limit, interruption, chosenFolder: "")
    var latest: [UInt64: (ended: Int, line: Int)] = [:]
    for line in 0..<9000 {
      // Some numbers occur twice, one very often.
      let reference = reference(line % 3 == 0 ? 7 : line % 4001, at: line)
      try spool.append(reference)
      if (reference.ended, line) >= latest[reference.number] ?? (0, 0) {
        latest[reference.number] = (reference.ended, line)
      }
    }
    var found: [UInt64: (ended: Int, line: Int)] = [:]
    var groupCount = 0
    try spool.forEachGroup { (group) in
      groupCount += 1
      for record in group {
        #expect(found[record.number] == nil)
        found[record.number] = (record.ended, record.line)
      }
    }
    #expect(groupCount == (limit > 9000 ? 1 : 256))
    #expect(found.count == latest.count)
    let wrong = latest.filter { found[$0.key]?.line != $0.value.line }
    #expect(wrong.isEmpty)
    // The temporary file has no name, so it cannot be left behind.
    #expect(folder.names.isEmpty)
  }

  @Test func duplicateRecordsStayInMemory() throws {
    let spool = RecordSpool<FileReference>(
      beside: folder.path("none/x"), limit: Self.few, interruption, chosenFolder: "")
    for _ in 0..<1000 {
      try spool.append(FileReference(2, isMade: false))
      try spool.append(FileReference(4, isMade: true))
    }
    var candidates: [UInt64] = []
    try spool.forEachGroup { candidates += FileReference.conflictCandidates($0) }
    #expect(candidates == [4])
  }

  @Test func unwritableSpoolFolderIsReported() throws {
    let spool = RecordSpool<FileReference>(
      beside: folder.path("x"), limit: 2, groupCount: 1, interruption,
      chosenFolder: folder.path("none")
    ) { _ in 0 }
    let failure = #expect(throws: CommandFailure.self) {
      for number in 1...99 as ClosedRange<UInt64> {
        try spool.append(FileReference(number << 8, isMade: false))
      }
    }
    #expect(failure?.kind == .cannotWrite)
    #expect(failure?.message.contains("cannot be written to “\(folder.path("none"))”: ") == true)
    #expect(failure?.message.hasSuffix("with the variable TMPDIR.") == true)
  }

  @Test func aManifestIsFoundWrongInGroups() throws {
    var lines = (1...900).map { "\(folder.path("\($0).wav"))" }
    lines[850] = folder.path("./11.wav")
    let (input, output) = (folder.path("20.m4a"), folder.path("x.m4a"))
    lines[870] = "{\"input\": \"\(input)\", \"output\": \"\(output)\"}"
    let path = try write(lines, to: "all.txt")
    func faults(_ limit: Int, _ shard: Shard = Shard()) throws -> [String] {
      var settings = BatchRun.Settings()
      settings.shard = shard
      let check = try ManifestCheck(
        path, settings, written: [path + ".ledger"], interruption, recordLimit: limit,
        chosenFolder: "")
      #expect(check.faultCount == check.faults.count && !check.hasMoreFaults)
      if shard.count == 1 { #expect(check.lineCount == 900) }
      return check.faults
    }
    let all = try faults(Self.few)
    #expect(all.count == 2)
    #expect(all.first?.hasPrefix("Lines 11 and 851 both write “") == true)
    #expect(all.last?.hasPrefix("Line 20 would replace “") == true)
    #expect(all.last?.hasSuffix("which line 871 reads.") == true)
    #expect(try faults(1 << 20) == all)
    // A fault is found by the shard that writes the file.
    let ofParts = try (0..<3).flatMap { try faults(Self.few, Shard(index: $0, count: 3)) }
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

  @Test func ledgersAreMergedInGroups() throws {
    let ledgers = try ledgers()
    var paths: [String] = []
    for (index, entries) in ledgers.enumerated() {
      var lines = entries.map(\.text)
      // A line that a crash truncated has no content, but counts as a line.
      lines.insert(String(lines[3].prefix(40)), at: 100)
      paths.append(try write(lines, to: "\(index).ledger"))
    }
    var latest: [String: LedgerEntry] = [:]
    for entry in ledgers.joined() {
      let last = latest[entry.output]?.endedNumber ?? 0
      if entry.endedNumber >= last { latest[entry.output] = entry }
    }
    func merged(_ limit: Int) throws -> (report: JSONValue, lines: [String]) {
      var kept: [String] = []
      let merge = try LedgerMerge(paths, interruption, recordLimit: limit) { (line) in
        kept.append(String(decoding: line, as: UTF8.self))
      }
      return (merge.json, kept)
    }
    let inGroups = try merged(Self.few)
    let atOnce = try merged(1 << 20)
    #expect(inGroups.lines == atOnce.lines && inGroups.report == atOnce.report)
    #expect(Set(inGroups.lines) == Set(latest.values.map { $0.text + "\n" }))
    #expect(inGroups.lines.count == latest.count && latest.count == 311)
  }

  /// Lines of the emptied ledger would be missing from a report that claims to be complete.
  @Test func ledgerChangedDuringMergeThrows() throws {
    var entry = LedgerEntry()
    entry.output = "a.m4a"
    let first = try write([entry.text], to: "1.ledger")
    entry.output = "b.m4a"
    let second = try write([entry.text], to: "2.ledger")
    let failure = #expect(throws: CommandFailure.self) {
      _ = try LedgerMerge([first, second], interruption, recordLimit: 1 << 20) { (_) in
        _ = try? folder.write([], to: "2.ledger")
      }
    }
    #expect(failure?.kind == .cannotRead)
    #expect(failure?.message.contains("2.ledger” was changed by another program") == true)
  }

  @Test(arguments: [1, few, 1 << 20])
  func ledgerEntriesFollowManifestOrder(limit: Int) throws {
    let lines = (0..<900).map { "in/\($0 * 7 % 900).wav" }
    let manifest = try write(lines, to: "all.txt")
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
    let source = try BatchSource(manifest, ledger, settings, interruption, recordLimit: limit)
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

@Suite struct LedgerKeyTests {
  private func agrees(_ bytes: [UInt8]) -> Bool {
    let (key, entry) = (LedgerKey(bytes[...]), LedgerEntry(bytes[...]))
    return key?.output == entry?.output && key?.endedNumber == entry?.endedNumber
  }

  private var entry: LedgerEntry {
    var entry = LedgerEntry()
    entry.line = 12
    entry.input = "in/Größe 音.wav"
    entry.output = "out/Größe 音.m4a"
    entry.settings = "aacorn-0.1.0 bitrate=96k title=\"A \\ B\u{85}\""
    entry.inputDigest = String(repeating: "ab", count: 32)
    entry.inputSize = 123_456
    entry.inputTime = 1_764_000_000_123_456_789
    entry.elapsed = 1.25
    entry.ended = "2026-11-23T15:24:04.123Z"
    return entry
  }

  @Test func scannerReadsWrittenEntries() throws {
    var failed = entry
    failed.outcome = .failed
    failed.error = ("bad-input", "“a.wav” is not an audio file.")
    for entry in [entry, failed] {
      let key = try #require(LedgerKey.scan(Array(entry.text.utf8)[...]))
      #expect(key.output == entry.output && key.endedNumber == 20_261_123_152_404_123)
    }
  }

  @Test(arguments: [
    #"{"line":1,"output":"a\"b.m4a","status":"done"}"#,
    #"{"line":1,"output":"a\u00e9.m4a","status":"done"}"#,
    #"{"line":1,"out\u0070ut":"a","status":"done"}"#,
    #"{"line":1,"output":"a","status":"d\u006fne"}"#,
    #"{"line":1,"output":"a","status":"done","id":"\u00g9"}"#,
    #"{"line":1,"output":"a","status":"done","id":"\u+123"}"#,
    #"{"line":1,"output":"a","status":"done","id":"\ud800"}"#,
    #"{"line":1,"output":"a","status":"done","id":"\x"}"#,
    #"{"line":1,"output":"a","status":"done","ended":"\u0031"}"#,
    #"{"line":1,"output":"a","status":"done","id":"\u12"#,
    #"{"line":1,"output":"a","outputHex":"ff62","status":"done"}"#,
    #"{"line":1,"output":"a","outputHex":"zz","status":"done"}"#,
    #"{"line":1,"status":"done"}"#, #"{"line":1,"output":"a"}"#,
    #"{"line":1,"output":"","status":"done"}"#, #"{"line":1,"output":7,"status":"done"}"#,
    #"{"line":1,"output":"a","status":"over"}"#, #"{"line":1,"output":"a","status":"done""#,
    #"{"line":1,"output":"a","status":"done"} "#, #"{"line":1,"output":"a","status":"done"}x"#,
    #"{ "line": 1, "output": "a", "status": "done" }"#,
    #"{"line":-1,"output":"a","status":"done"}"#,
    #"{"line":9007199254740992,"output":"a","status":"done"}"#,
    #"{"line":1,"output":"a","output":"b","status":"failed","status":"done"}"#,
    #"{"line":1,"output":"a","output":null,"status":"done"}"#,
    #"{"line":1,"output":"a","status":"done","attempts":0}"#,
    #"{"line":1,"output":"a","status":"done","attempts":1001}"#,
    #"{"line":1,"output":"a","status":"done","attempts":00000000000000000001}"#,
    #"{"line":1,"output":"a","status":"done","elapsed":1e13}"#,
    #"{"line":1,"output":"a","status":"done","elapsed":999999999999.5}"#,
    #"{"line":1,"output":"a","status":"done","elapsed":1.}"#,
    #"{"line":1,"output":"a","status":"done","elapsed":.5}"#,
    #"{"line":1,"output":"a","status":"done","inputTime":99999999999999999999}"#,
    #"{"line":1,"output":"a","status":"done","ended":"9999999999999999999999"}"#,
    #"{"line":1,"output":"a","status":"done","made":{"output":"b"},"warnings":["c"]}"#,
    #"{"line":1,"output":"a","status":"done","new":nul}"#, "", "{}", "{", "[]",
  ])
  func itAgreesWithTheWholeReader(line: String) {
    #expect(agrees(Array(line.utf8)))
  }

  @Test func ledgerKeyAgreesForAnyChangedByte() {
    let bytes = Array(entry.text.utf8)
    let others = Array("\"\\{}[],:-+.e0 9tn".utf8) + [0x00, 0x1F, 0x7F, 0x80, 0xF4, 0xFF]
    for index in bytes.indices {
      var shorter = bytes
      shorter.remove(at: index)
      #expect(agrees(shorter), "without byte \(index)")
      #expect(agrees(Array(bytes[..<index])), "cut off at \(index)")
      for other in others {
        var changed = bytes
        changed[index] = other
        #expect(agrees(changed), "with \(other) at \(index)")
      }
    }
  }
}
