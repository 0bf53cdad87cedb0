import AacornRecording
import AacornSystem
import Testing

@testable import AacornCommands

/// The content of ledgers, and runs that resume from them.
@Suite struct BatchLedgerTests {
  private let folder = TemporaryFolder()
  private let captured = CapturedConsole()

  private func lastEntry() throws -> LedgerEntry { try #require(folder.entries().last) }

  /// Silence at the start of a recording looks like zeros that a power failure left.
  @Test func audioThatBeginsWithZerosIsRejectedAsLedger() throws {
    for content in ["sound", ""] {
      let bytes = [UInt8](repeating: 0, count: 100_000) + Array(content.utf8)
      let path = try folder.write(bytes, to: "take.raw")
      #expect(throws: CommandFailure.self) { _ = try Ledger(path) }
      #expect(try folder.read("take.raw") == bytes)
    }
  }

  @Test(arguments: [1, 3]) func damagedByteInTheFirstLineLosesOnlyThatLine(count: Int) throws {
    let inputs = try (0..<count).map {
      try folder.write(wavFile(frames: 2000), to: "\($0).wav")
    }
    let path = try folder.write(lines: inputs)
    captured.aacorn("batch", "-j", "1", path)
    let bytes = try folder.read("all.txt.ledger")
    let end = try #require(bytes.firstIndex(of: UInt8(ascii: "\n")))
    for index in [0, 1, 4, 7, 8, end / 2, end] {
      for value in [bytes[index] ^ 1, 0, UInt8(ascii: "\n")] {
        var damaged = bytes
        damaged[index] = value
        try folder.write(damaged, to: "all.txt.ledger")
        captured.aacorn("batch", path)
        #expect(Set(try readableOutputs()) == Set(inputs.map { $0.dropLast(3) + "m4a" }))
      }
    }
    #expect(captured.errors.isEmpty, "\(captured.errors)")
  }

  /// The outputs of the lines of the ledger that can be read.
  private func readableOutputs() throws -> [String] {
    try folder.read("all.txt.ledger").split(separator: UInt8(ascii: "\n")).compactMap {
      LedgerEntry($0)?.output
    }
  }

  /// The digest in the ledger is the digest of the complete file, whatever the encoder reads of it.
  @Test(arguments: ["wav", "list", "mp3", "aac", "m4a", "raw"])
  func inputDigestCoversTheFile(kind: String) throws {
    let sound = wavFile(frames: 30_000)
    var options: [String] = []
    let bytes: [UInt8]
    switch kind {
    case "list": bytes = sound + Array("LIST".utf8) + [4, 0, 0, 0] + Array("INFO".utf8)
    case "mp3": bytes = mp3File(tagByteCount: 5000)
    case "aac", "m4a":
      let source = try folder.write(sound, to: "s.wav")
      captured.aacorn("encode", "-q", source, "-o", folder.path("s.\(kind)"))
      bytes = try folder.read("s.\(kind)")
    case "raw":
      (bytes, options) = (sound, ["--raw-format", "s16le"])
    default: bytes = sound
    }
    let path = try folder.write(lines: [try folder.write(bytes, to: "in.\(kind)")])
    captured.aacorn(["batch", path, "--verify", "--output-folder", folder.path("out")] + options)
    #expect(try lastEntry().inputDigest == SHA256.text(SHA256.digest(of: bytes)))
  }

  @Test func anOutputIsRememberedThoughALaterAttemptFails() throws {
    let input = try folder.write(wavFile(frames: 3000), to: "a.wav")
    let path = try folder.write(lines: [input])
    captured.aacorn("batch", path)
    for _ in 0..<2 {
      try System.rename(input, to: folder.path("away.wav"))
      captured.aacorn("batch", path, "--retries", "0", status: .failed)
      #expect(try lastEntry().outcome == .postponed)
      try System.rename(folder.path("away.wav"), to: input)
    }
    // Other bytes of the same size show that the file is not encoded again.
    try folder.write(Array(repeating: 7, count: try folder.read("a.m4a").count), to: "a.m4a")
    captured.aacorn("batch", path, output: "1 already done")
    #expect(try folder.read("a.m4a").first == 7)

    // After a change of the settings, the run replaces its own output.
    try System.rename(input, to: folder.path("away.wav"))
    captured.aacorn("batch", path, "--retries", "0", status: .failed)
    try System.rename(folder.path("away.wav"), to: input)
    captured.aacorn("batch", path, "-b", "48k")
    #expect(try folder.read("a.m4a").first != 7)

    // So does a run after the input was unreadable.
    try folder.write("no sound", to: "a.wav")
    captured.aacorn("batch", path, status: .failed)
    #expect(try lastEntry().outcome == .failed)
    try folder.write(wavFile(frames: 4000), to: "a.wav")
    captured.aacorn("batch", path)
    #expect(try lastEntry().product.sampleCount == 4000)
  }

  @Test func anOutputOfOtherBytesIsFoundWhereItIsVerified() throws {
    let input = try folder.write(wavFile(frames: 3000), to: "a.wav")
    let path = try folder.write(lines: [input])
    captured.aacorn("batch", path, "--verify")
    let bytes = try folder.read("a.m4a")
    var changed = bytes
    changed[bytes.count / 2] ^= 1
    try folder.write(changed, to: "a.m4a")
    captured.aacorn("batch", path)
    #expect(try folder.read("a.m4a") == changed)
    captured.aacorn("batch", path, "--verify")
    #expect(try folder.read("a.m4a") == bytes)
    // An output with unchanged bytes is skipped.
    let before = try folder.read("all.txt.ledger")
    captured.aacorn("batch", path, "--verify")
    #expect(try folder.read("all.txt.ledger") == before)
    #expect(captured.errors.isEmpty, "\(captured.errors)")

    // The output is also restored after an attempt that failed.
    try folder.write(changed, to: "a.m4a")
    try System.rename(input, to: folder.path("away.wav"))
    captured.aacorn("batch", path, "--verify", "--retries", "0", status: .failed)
    try System.rename(folder.path("away.wav"), to: input)
    captured.aacorn("batch", path, "--verify")
    #expect(try folder.read("a.m4a") == bytes)
  }

  /// The settings say whether the line was encoded again.
  @Test func inputIsReadOnlyToVerifyIt() throws {
    let path = try folder.write(lines: [try folder.write(wavFile(frames: 3000), to: "a.wav")])
    captured.aacorn("batch", path, "--verify")
    let entry = try lastEntry()
    var other = entry
    other.inputDigest = "other"
    try folder.write(other.text + "\n", to: "all.txt.ledger")
    captured.aacorn("batch", path, output: "1 already done")
    captured.aacorn("batch", path, "--verify", output: "1 file encoded")
    #expect(try lastEntry().inputDigest == entry.inputDigest)
    // An input with another time is encoded again, unless its digest is compared.
    other = entry
    other.inputTime = 1
    try folder.write(other.text + "\n", to: "all.txt.ledger")
    captured.aacorn("batch", path, "--verify", output: "1 already done")
    captured.aacorn("batch", path, output: "1 file encoded")
    #expect(try lastEntry().inputTime == entry.inputTime && lastEntry().inputDigest == nil)
  }

  @Test func damagedInputsAreReportedInEveryRun() throws {
    let sound = try folder.write(wavFile(frames: 30_000), to: "s.wav")
    captured.aacorn("encode", "-o", folder.path("a.aac"), sound)
    var bytes = try folder.read("a.aac")
    for index in 0..<40 { bytes[bytes.count / 2 + index] ^= 0x5A }
    let input = try folder.write(bytes, to: "a.aac")
    let path = try folder.write(lines: [input])
    for _ in 0..<2 { captured.aacorn("batch", path, status: .failed) }
    #expect(try lastEntry().outcome == .damaged)
    captured.expectOutput("1 already done, 1 damaged input")
  }

  /// Only for a pipe may the header announce more samples than there are.
  @Test func inputShorterThanItsHeaderIsDamaged() throws {
    let whole = wavFile(frames: 30_000)
    let half = Array(whole.prefix(44 + (whole.count - 44) / 2))
    let path = try folder.write(lines: [try folder.write(half, to: "a.wav")])
    for _ in 0..<2 { captured.aacorn("batch", path, status: .failed) }
    let entry = try lastEntry()
    #expect(entry.outcome == .damaged && entry.product.sampleCount == 15_000)
    #expect(entry.warnings.contains { $0.contains("shorter than its header specifies") })
    captured.expectOutput("1 already done, 1 damaged input")
    // A length that was unknown when the header was written does not count as announced.
    var open = half
    for index in [4, 5, 6, 7, 40, 41, 42, 43] { open[index] = 0xFF }
    try folder.write(open, to: "a.wav")
    captured.aacorn("batch", path)
    #expect(try lastEntry().outcome == .done)
  }

  @Test func anotherCoverIsAnotherSetting() throws {
    let path = try folder.write(lines: [try folder.write(wavFile(frames: 3000), to: "a.wav")])
    let cover = try folder.write([0xFF, 0xD8, 0xFF, 1], to: "c.jpg")
    for number in 1...2 {
      captured.aacorn("batch", path, "--cover", cover)
      captured.aacorn("batch", path, "--cover", cover)
      let lines = try folder.read("all.txt.ledger").split(separator: UInt8(ascii: "\n"))
      #expect(lines.count == number)
      try folder.write([0xFF, 0xD8, 0xFF, 2], to: "c.jpg")
    }
  }

  @Test func lineCountsAfterTheClockWasSetBack() throws {
    let path = try folder.write(lines: [try folder.write(wavFile(frames: 3000), to: "a.wav")])
    captured.aacorn("batch", path)
    var entry = try lastEntry()
    entry.ended = "2999-01-01T00:00:00.000Z"
    try folder.write(entry.text + "\n", to: "all.txt.ledger")
    try folder.write(wavFile(frames: 5000), to: "a.wav")
    captured.aacorn("batch", path, output: "1 file encoded")
    #expect(try lastEntry().ended == entry.ended)
    captured.aacorn("batch", path, output: "1 already done")
  }

  @Test func latestLineOfEachOutputCountsInAnyOrder() throws {
    var (old, new, postponed) = (LedgerEntry(), LedgerEntry(), LedgerEntry())
    (old.output, new.output, postponed.output) = ("a.m4a", "./a.m4a", "a.m4a")
    old.ended = "2026-11-23T09:00:00.000Z"
    new.ended = "2026-11-23T09:00:00.001Z"
    postponed.ended = "2026-11-23T09:00:00.002Z"
    (old.outcome, postponed.outcome) = (.failed, .postponed)
    // An attempt without an output does not hide an earlier line.
    for entries in [[old, new, postponed], [postponed, new, old], [new, postponed, old]] {
      let path = try folder.write(lines: entries.map(\.text), to: "l")
      #expect(try Ledger(path).lastEntry(about: "a.m4a") == new)
    }
    // For equal times, the last line counts.
    new.ended = old.ended
    let path = try folder.write(lines: [new.text, old.text], to: "l")
    #expect(try Ledger(path).lastEntry(about: "a.m4a") == old)
  }

  @Test(arguments: ["removed", "renamed", "replaced", "emptied", "continued"])
  func ledgerChangedByAnotherProgramThrows(what: String) throws {
    for isAtEnd in [false, true] {
      let path = folder.path("l")
      try? System.remove(path)
      let ledger = try Ledger(path)
      var entry = LedgerEntry()
      entry.output = "a.m4a"
      try ledger.append(entry)
      try ledger.synchronize()
      switch what {
      case "removed": try System.remove(path)
      case "renamed": try System.rename(path, to: folder.path("other"))
      case "replaced":
        try System.rename(try folder.write(try folder.read("l"), to: "new"), to: path)
      default:
        let descriptor = try System.open(path, for: .appending)
        defer { try? System.close(descriptor) }
        if what == "emptied" {
          try System.truncate(descriptor, to: 0)
        } else {
          _ = try System.write(descriptor, Array((entry.text + "\n").utf8), from: 0)
        }
      }
      let error = #expect(throws: CommandFailure.self) {
        if isAtEnd { try ledger.synchronize() } else { try ledger.append(entry) }
      }
      #expect(error?.exitStatus == .cannotWrite)
      #expect(error?.commandMessage.contains("by another program during the run") == true)
      // The ledger stays unusable.
      #expect(throws: CommandFailure.self) { try ledger.append(entry) }
      #expect(throws: CommandFailure.self) { try ledger.synchronize() }
      if what == "emptied" { #expect(try folder.read("l").isEmpty) }
    }
  }

  @Test func linesOfAPartFollowManifestWithTheirLastEntries() throws {
    let manifest = try folder.write(lines: (0..<900).map { "in/\($0 * 7 % 900).wav" })
    var settings = BatchCommand(jobCount: 1)
    settings.shard = Shard(index: 1, count: 2)
    // The ledger has some of the outputs, some of them in two lines.
    let ledger = try Ledger(folder.path("ledger"))
    for index in 0..<600 {
      var entry = LedgerEntry()
      entry.output = "in/\(index % 500).m4a"
      entry.product.size = index
      try ledger.append(entry)
    }
    for number in 0..<900 {
      let size = number < 100 ? number + 500 : number < 500 ? number : nil
      #expect(ledger.lastEntry(about: "in/\(number).m4a")?.product.size == size)
    }
    let expected = (0..<900).map { "in/\($0 * 7 % 900).wav" }.filter {
      settings.shard.contains(ManifestLine.number(of: settings.output(of: $0)))
    }
    let run = BatchRun(settings, ledger: ledger, total: expected.count, in: captured.console)
    #expect(run.run(try LineReader(manifest, Interruption())) == .failed)
    // There are no inputs, so each line fails.
    let inputs = try folder.entries("ledger").dropFirst(600).map(\.input)
    #expect(inputs == expected && inputs.count > 300)
  }
}
