import AacornRecording
import AacornSystem
import Testing

@testable import AacornCommands

@Suite struct ShardTests {
  @Test func numbersOfOrdinaryPathsStay() {
    #expect(ManifestLine.number(of: "out/a.m4a") == 7746565127969313579)
    #expect(ManifestLine.number(of: "/arch\u{EF}v/1 2/\u{1F3B5}.m4a") == 8905500059524344071)
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
    let again = try #require(LedgerEntry(Array(entry.text.utf8)[...]))
    #expect(again == entry && again.rank == 0)
    entry.product.size = 7
    #expect(entry.rank == 20_261_123_152_404_123)
    entry.ended = String(repeating: "9", count: 100)
    #expect(entry.rank == 0)
  }

  @Test func durationThatNoRunWritesIsRefused() {
    #expect(reading(#""elapsed":1.5"#) != nil)
    #expect(reading(#""elapsed":1e308"#) == nil)
  }
}
