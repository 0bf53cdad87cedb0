import AacornRecording
import AacornSystem
import Testing

@testable import AacornCommands

@Suite struct BatchCommandTests {
  private let folder = TemporaryFolder()
  private let captured = CapturedConsole()

  /// Writes input files of different lengths.
  private func sounds(_ count: Int) throws -> [String] {
    try (0..<count).map { number in
      try folder.write(wavFile(frames: 3000 + 500 * number), to: "in/\(number).wav")
    }
  }

  private func names(_ subfolder: String) -> [String] {
    ((try? System.names(inFolder: folder.path(subfolder))) ?? []).sorted()
  }

  @Test func everyLineBecomesTheFileThatEncodeMakes() throws {
    let inputs = try sounds(4)
    let path = try folder.write(lines: inputs)
    captured.aacorn("batch", path, "-b", "96k", "--verify", "-j", "3", output: "4 files encoded")
    let entries = try folder.entries()
    #expect(entries.count == 4)
    for (number, input) in inputs.enumerated() {
      let output = folder.path("in/\(number).m4a")
      let alone = folder.path("alone.m4a")
      captured.aacorn("encode", "-f", "-b", "96k", input, "-o", alone)
      #expect(try folder.read("in/\(number).m4a") == folder.read("alone.m4a"))
      let entry = try #require(entries.first { $0.output == output })
      #expect(entry.line == number + 1)
      #expect(entry.outcome == .done)
      #expect(entry.product.sampleCount == 3000 + 500 * number)
      #expect(
        try entry.product.digest
          == SHA256.text(SHA256.digest(of: folder.read("in/\(number).m4a"))))
      #expect(
        try entry.inputDigest
          == SHA256.text(SHA256.digest(of: folder.read("in/\(number).wav"))))
      #expect(entry.settings.hasSuffix(" bitrate=96k"))
    }
  }

  @Test func outputWithoutANameHasTheSuffixOfItsFormat() throws {
    let input = folder.path("a.wav")
    #expect(
      try ManifestLine(#"{"input": "\#(input)", "format": "aac"}"#).output.hasSuffix("/a.aac"))
    #expect(try ManifestLine(#"{"input": "\#(input)"}"#).output.hasSuffix("/a.m4a"))
  }

  @Test func linesHaveOwnSettings() throws {
    let inputs = try sounds(2)
    let path = try folder.write(lines: [
      "{\"input\": \"\(inputs[0])\", \"output\": \"\(folder.path("a.aac"))\", \"bitrate\": 48000, "
        + #""crc": true, "id": 7}"#,
      "{\"input\": \"\(inputs[1])\", \"output\": \"\(folder.path("b.m4a"))\", \"vbr\": 3, "
        + #""title": "Wind"}"#,
    ])
    captured.aacorn("batch", path, "-b", "128k")
    let arguments = [
      ["-b", "48000", "--crc", inputs[0], "-o", folder.path("c.aac")],
      ["--vbr", "3", "--title", "Wind", inputs[1], "-o", folder.path("d.m4a")],
    ]
    for words in arguments { captured.aacorn(["encode"] + words) }
    #expect(try folder.read("a.aac") == folder.read("c.aac"))
    #expect(try folder.read("b.m4a") == folder.read("d.m4a"))
    #expect(try folder.entries().contains { $0.id == "7" })
  }

  @Test func finishedOutputsAreSkippedUntilChanged() throws {
    let inputs = try sounds(3)
    let path = try folder.write(lines: inputs)
    captured.aacorn("batch", path)
    captured.aacorn("batch", path, output: "No files encoded, 3 already done")
    #expect(try folder.entries().count == 3)

    // The run repeats a line with a new input, a line with a truncated output, and all lines after
    // a change of the settings.
    try folder.write(wavFile(frames: 3001), to: "in/0.wav")
    try folder.write([1, 2, 3], to: "in/1.m4a")
    captured.aacorn("batch", path, output: "2 files encoded")
    #expect(try folder.entries().count == 5)
    #expect(try folder.read("in/1.m4a").count > 100)
    captured.aacorn("batch", path, "-b", "64k", output: "3 files encoded, 0:00.2")
    #expect(captured.errors.isEmpty, "\(captured.errors)")
  }

  @Test func partsMakeEachLineOnceAndTheSameBytes() throws {
    let inputs = try sounds(9)
    let path = try folder.write(lines: inputs)
    for part in 1...3 {
      captured.aacorn(
        "batch", path, "--shard", "\(part)/3", "--output-folder", folder.path("parts"))
    }
    var lines: [Int] = []
    for part in 1...3 {
      lines += try folder.entries("all.txt.ledger.0000\(part)-of-00003").map(\.line)
    }
    #expect(lines.sorted() == Array(1...9))
    captured.aacorn(
      "batch", path, "--output-folder", folder.path("whole"), "--ledger",
      folder.path("whole.ledger"))
    for number in 0..<9 {
      let name = folder.path + "/in/\(number).m4a"
      #expect(try folder.read("parts" + name) == folder.read("whole" + name))
    }
    // Ledgers can be concatenated in any order; then a run of all parts has nothing to do.
    let ledgers = try [2, 3, 1].flatMap { try folder.read("all.txt.ledger.0000\($0)-of-00003") }
    try folder.write(ledgers, to: "all.txt.ledger")
    captured.aacorn(
      "batch", path, "--output-folder", folder.path("parts"),
      output: "No files encoded, 9 already done")
  }

  @Test func invalidInputFailsOnlyItsLine() throws {
    var inputs = try sounds(3)
    inputs.insert(try folder.write("no sound", to: "in/poison.wav"), at: 1)
    inputs.append(folder.path("in/missing.wav"))
    let path = try folder.write(lines: inputs)
    captured.aacorn("batch", path, status: .failed)
    #expect(names("in").filter { $0.hasSuffix(".m4a") } == ["0.m4a", "1.m4a", "2.m4a"])
    let entries = try folder.entries()
    #expect(entries.first { $0.line == 2 }?.outcome == .failed)
    #expect(entries.first { $0.line == 2 }?.attemptCount == 1)
    #expect(entries.first { $0.line == 5 }?.outcome == .postponed)
    captured.expectErrors("Line 2: ")
    // The damaged input fails again without a new attempt. The missing input exists now.
    try folder.write(wavFile(frames: 2000), to: "in/missing.wav")
    captured.aacorn("batch", path, status: .failed)
    captured.expectOutput("1 file encoded, 0:00.0", "3 already done, 1 failed")
    #expect(try folder.entries().count == 6)
    captured.aacorn("batch", path, "--retry-failed", status: .failed)
    #expect(try folder.entries().count == 7)
  }

  @Test(arguments: [
    (["a.wav", #"{"input": "b.wav", "output": "./a.m4a"}"#], "Lines 1 and 2 both write"),
    (["a.wav", #"{"input": "a.m4a", "output": "b.m4a"}"#], "Line 1 would replace"),
    ([#"{"input": "a.m4a"}"#], "Line 1 would replace its own input"),
    ([#"{"input": "a.wav""#], "Line 1 is not a JSON object."),
    (["", #"{"output": "a.m4a"}"#], "Line 2 names no input."),
    ([#"{"input": "a.wav", "bitrat": 1}"#], "did you mean “bitrate”?"),
    ([#"{"input": "a.wav", "bitrate": "much"}"#], "Line 1: "),
    ([#"{"input": "a.wav", "profile": "hf"}"#], "Line 1: The option --profile does not accept"),
    ([#"{"input": "a.wav", "output": "a.mp3"}"#], "Line 1: The suffix of “a.mp3”"),
    ([#"{"input": "a.wav", "format": "aac", "title": "x"}"#], "Only M4A files have"),
    ([#"{"input": "a.wav", "crc": 5}"#], "has an invalid value for “crc”"),
    ([#"{"input": "a.wav", "input": "b.wav"}"#], "contains “input” twice"),
  ])
  func invalidManifestIsRejectedCompletely(lines: [String], words: String) throws {
    let bad = try folder.write(lines: lines, to: "bad.txt")
    captured.aacorn("batch", bad, status: .usage, errors: words, "Nothing was encoded.")
    #expect(!folder.names.contains("bad.txt.ledger"))
  }

  @Test func noLineReplacesTheRunsOwnFiles() throws {
    _ = try sounds(1)
    for name in ["all.m4a", "all.m4a.ledger.m4a"] {
      let line = folder.line("in/0.wav", output: name)
      let path = try folder.write(lines: [line], to: "all.m4a")
      let before = try folder.read("all.m4a")
      let ledger = ["--ledger", folder.path("all.m4a.ledger.m4a")]
      captured.aacorn(["batch", path, "-f"] + ledger, status: .usage)
      #expect(try folder.read("all.m4a") == before)
    }
    captured.expectErrors("which is a file of this run")
  }

  @Test func foreignFilesAreUnchanged() throws {
    let inputs = try sounds(2)
    let path = try folder.write(lines: inputs)
    try folder.write([9], to: "in/0.m4a")
    captured.aacorn("batch", path, status: .failed)
    #expect(try folder.read("in/0.m4a") == [9])
    captured.expectErrors("is not in the ledger")
    #expect(names("in").filter { $0.contains("aacorn-") }.isEmpty)
    captured.aacorn("batch", path, "--force")
    #expect(try folder.read("in/0.m4a").count > 100)
  }

  @Test func anotherRunOfTheSamePartIsRefused() throws {
    let path = try folder.write(lines: sounds(1))
    let ledger = try Ledger(path + ".ledger")
    captured.aacorn("batch", path, status: .cannotWrite)
    captured.expectErrors("Another run is writing the ledger")
    _ = ledger
  }

  @Test func aFullDiskEndsTheRun() throws {
    let inputs = try sounds(1)
    // A folder cannot be created inside a file, so no output can be written there.
    let wall = try folder.write([0], to: "wall")
    let lines = (0..<40).map { "{\"input\": \"\(inputs[0])\", \"output\": \"\(wall)/\($0).m4a\"}" }
    let path = try folder.write(lines: lines)
    captured.aacorn("batch", path, "--retries", "0", "-j", "1", status: .cannotWrite)
    captured.expectErrors("outputs in a row could not be written")
    #expect(try folder.entries().count == BatchRun.maxUnwrittenCount)
  }
}
