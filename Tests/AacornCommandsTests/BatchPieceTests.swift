import AacornRecording
import AacornSystem
import Testing

@testable import AacornCommands

@Suite struct ShardTests {
  private func shard(_ count: Int?, _ environment: [String: String]) throws -> Shard? {
    try Shard.ofEnvironment(count: count) { environment[$0] }
  }

  @Test func enginesNameTheirParts() throws {
    let slurm = [
      "SLURM_ARRAY_TASK_ID": "2", "SLURM_ARRAY_TASK_MIN": "0", "SLURM_ARRAY_TASK_MAX": "9",
      "SLURM_ARRAY_TASK_COUNT": "10",
    ]
    #expect(try shard(nil, slurm) == Shard(index: 2, count: 10))
    #expect(try shard(4, ["JOB_COMPLETION_INDEX": "3"]) == Shard(index: 3, count: 4))
    #expect(try shard(4, ["PARALLEL_SEQ": "1"]) == Shard(index: 0, count: 4))
    #expect(try shard(nil, [:]) == nil)
    // Under GNU parallel each job may have a separate manifest.
    #expect(try shard(nil, ["PARALLEL_SEQ": "1"]) == nil)
  }

  @Test func tasksThatRunAgainMakeTheirParts() throws {
    let again = [
      "SLURM_ARRAY_TASK_ID": "5", "SLURM_ARRAY_TASK_MIN": "5", "SLURM_ARRAY_TASK_MAX": "5",
      "SLURM_ARRAY_TASK_COUNT": "1",
    ]
    #expect(try shard(16, again) == Shard(index: 5, count: 16))
    #expect(throws: UsageError.self) { try shard(nil, again) }
    #expect(throws: UsageError.self) { try shard(5, again) }
  }

  @Test func numbersOfOrdinaryPathsStay() {
    #expect(ManifestLine.number(of: "out/a.m4a") == 7746565127969313579)
    #expect(ManifestLine.number(of: "/arch\u{EF}v/1 2/\u{1F3B5}.m4a") == 8905500059524344071)
  }

  @Test func invalidShardEnvironmentThrows() {
    #expect(throws: UsageError.self) { try shard(nil, ["JOB_COMPLETION_INDEX": "3"]) }
    #expect(throws: UsageError.self) { try shard(3, ["JOB_COMPLETION_INDEX": "3"]) }
    #expect(throws: UsageError.self) { try shard(3, ["PARALLEL_SEQ": "4"]) }
    #expect(throws: UsageError.self) {
      try shard(
        nil,
        [
          "SLURM_ARRAY_TASK_ID": "20", "SLURM_ARRAY_TASK_MIN": "0", "SLURM_ARRAY_TASK_MAX": "90",
          "SLURM_ARRAY_TASK_COUNT": "10",
        ])
    }
  }

  @Test func partsAreOfLikeSize() {
    var sizes = [Int](repeating: 0, count: 16)
    for number in 0..<16_000 {
      let hash = ManifestLine.number(of: "/archive/2024/\(number).m4a")
      sizes[Int(hash % 16)] += 1
    }
    #expect(sizes.allSatisfy { (800...1200).contains($0) }, "\(sizes)")
  }

  @Test(arguments: [("1/1", ""), ("3/16", "00003-of-00016"), ("12/100000", "00012-of-100000")])
  func partsHaveNames(text: String, name: String) {
    #expect(Shard(text)?.name == name)
  }
}

@Suite struct ManifestLineTests {
  private func line(_ text: String) throws(ManifestLine.Fault) -> ManifestLine {
    try ManifestLine(Array(text.utf8)[...], number: 1, BatchCommand())
  }

  @Test func pathsThatMeanTheSameHaveOneNumber() {
    let number = ManifestLine.number(of: "a/b.m4a")
    for path in ["./a/b.m4a", "a//b.m4a", "a/./b.m4a", "a/b.m4a/.", ".//a/b.m4a/"] {
      #expect(ManifestLine.number(of: path) == number, "\(path)")
    }
    for path in ["/a/b.m4a", "a/b.m4", "b/a.m4a", "a/.b.m4a", "a/../a/b.m4a"] {
      #expect(ManifestLine.number(of: path) != number, "\(path)")
    }
  }

  @Test func outputsStayInTheirFolder() {
    let settings = BatchCommand(outputFolder: "out")
    #expect(settings.output(of: "a/b.wav") == "out/a/b.m4a")
    #expect(settings.output(of: "/a/b.wav") == "out/a/b.m4a")
    #expect(settings.output(of: "../../b.wav") == "out/b.m4a")
    // The combining mark belongs to the name, although it forms one character with the slash.
    let climbing = settings.output(of: "../\u{301}d/../x.wav")
    #expect(Array(climbing.utf8) == Array("out/\u{301}d/x.m4a".utf8))
  }

  @Test func invalidUTF8NamesGetDistinctNumbers() throws {
    let lines = try [0xE8, 0xE9].map { (byte: UInt8) in
      try ManifestLine(
        (Array("caf".utf8) + [byte] + Array(".wav".utf8))[...], number: 1, BatchCommand())
    }
    #expect(lines[0].outputNumber != lines[1].outputNumber)
    var entry = LedgerEntry()
    (entry.input, entry.output) = (lines[0].input, lines[0].output)
    let again = try #require(LedgerEntry(Array(entry.text.utf8)[...]))
    #expect(again.output.utf8.elementsEqual(lines[0].output.utf8))
    #expect(again.input.utf8.elementsEqual(lines[0].input.utf8))
    #expect(!entry.text.unicodeScalars.contains { PathText.rawByte($0) != nil })
    #expect(ManifestLine.normalized("\u{E9}") != ManifestLine.normalized("e\u{301}"))
  }

  @Test func standardStreamsInManifestThrow() {
    for text in ["-", #"{"input": "a.wav", "output": "-"}"#, #"{"input": "-", "output": "a.m4a"}"#]
    {
      #expect(throws: ManifestLine.Fault.self) { try line(text) }
    }
  }

  @Test func settingsAreOptionsOfEncode() throws {
    let line = try line(#"{"input": "a.wav", "abr": "96k", "channels": 1, "mpeg2": false}"#)
    #expect(line.settings.values == ["abr": "96k", "channels": "1"])
    var settings = ManifestOptions()
    settings.set("bitrate", "64k")
    settings.set("title", "T")
    let merged = settings.overridden(by: line.settings)
    #expect(merged.values == ["title": "T", "abr": "96k", "channels": "1"])
    #expect(try merged.command().encoding.channelCount == 1)
  }

  @Test func identityDistinguishesValuesButNotTheirOrder() {
    var (one, other) = (ManifestOptions(), ManifestOptions())
    one.set("title", "a vbr=3")
    other.set("vbr", "3")
    other.set("title", "a")
    #expect(one.identity() != other.identity())
    #expect(other.identity().hasSuffix(" title=a vbr=3"))
    one.set("cover", "c.png")
    #expect(one.identity { $0 + "1" } != one.identity { $0 + "2" })
  }

  @Test func everySettingIsAnOptionOfEncode() {
    let options = Set(EncodeCommand.syntax.options.map(\.description.long))
    #expect(ManifestOptions.names.isSubset(of: options))
  }
}

@Suite struct LedgerEntryTests {
  private func reading(_ members: String) -> LedgerEntry? {
    LedgerEntry(Array(#"{"line":1,"output":"a.m4a","status":"done",\#(members)}"#.utf8)[...])
  }

  @Test func ledgerEntriesRoundTrip() throws {
    var entry = LedgerEntry()
    entry.output = "a.m4a"
    entry.outcome = .postponed
    entry.ended = "2026-11-23T15:24:04.123Z"
    (entry.product.time, entry.product.mark) = (-5, "1-2")
    entry.made = LedgerEntry.InputSnapshot(settings: "s", inputDigest: "d", isDamaged: true)
    let again = try #require(LedgerEntry(Array(entry.text.utf8)[...]))
    #expect(again == entry && again.made == entry.made && again.product.time == -5)
    #expect(again.product.mark == "1-2")
    #expect(again.endedNumber == 20_261_123_152_404_123)
    entry.ended = String(repeating: "9", count: 100)
    #expect(entry.endedNumber == 0)
  }

  @Test(arguments: [
    #""attempts":-9223372036854775808"#, #""attempts":0"#, #""attempts":9223372036854775807"#,
    #""inputBytes":9223372036854775807"#, #""outputBytes":-1"#, #""samples":-1"#,
    #""elapsed":1e308"#,
  ])
  func numbersThatNoRunWritesAreRefused(members: String) {
    #expect(reading(#""attempts":1"#) != nil)
    #expect(reading(members) == nil)
  }

  @Test func sumsStayInRange() throws {
    let entry = try #require(reading(#""inputBytes":9007199254740991,"attempts":1000"#))
    var tally = BatchTally()
    for _ in 0..<2000 { tally.add(entry) }
    #expect(tally.inputByteCount == Int.max)
  }
}

@Suite struct LedgerPartsTests {
  private func missing(_ names: [String]) -> [String] { LedgerParts(names).missing }

  @Test func partsThatAreMissingAreNamed() {
    let one = "a.ledger.00002-of-00003"
    #expect(missing([one]) == ["a.ledger.00001-of-00003", "a.ledger.00003-of-00003"])
    #expect(
      LedgerParts([one]).messages.first?.hasPrefix("Of 3 parts, 2 ledgers are missing") == true)
    let all = (1...3).map { "a.ledger.0000\($0)-of-00003" }
    #expect(missing(all).isEmpty && missing(["a.ledger", one]).isEmpty)
    // Ledgers from a run with another number of parts.
    #expect(missing(all + ["a.ledger.00001-of-00009"]).isEmpty)
    #expect(missing(all + ["b.ledger.00001-of-00002"]) == ["b.ledger.00002-of-00002"])
    #expect(missing(["a.1-of-2", "a.00003-of-00002", "a.00001-of-00001"]).isEmpty)
  }
}

@Suite struct NumberTableTests {
  @Test(arguments: [0, 10_000])
  func everyNumberHasItsLastValue(reserved: Int) {
    var table = NumberTable<Int>()
    #expect(table[3] == nil)
    table.reserve(reserved)
    // The last numbers all begin in the last slot, so that the search continues in the first.
    let numbers =
      (0...5000).map { $0 &* 0x9E37_79B9_7F4A_7C15 } + (0..<50).map { UInt64.max - $0 }
    for round in 1...2 {
      for (index, number) in numbers.enumerated() { table.set(number, to: round * index) }
    }
    #expect(table.count == numbers.count)
    #expect(numbers.indices.allSatisfy { table[numbers[$0]] == 2 * $0 })
    #expect(table[3] == nil && table[.max - 50] == nil)
  }
}
