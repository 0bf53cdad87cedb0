import AacornRecording
import AacornSystem
import Testing

@testable import AacornCommands

/// The content of ledgers, and the merge of several ledgers.
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
    captured.aacorn(["batch", path, "--output-folder", folder.path("out")] + options)
    #expect(try lastEntry().inputDigest == SHA256.text(SHA256.digest(of: bytes)))
    if kind != "wav" { return }
    // A failed line has a digest, too, so that it is not tried again.
    let bad = try folder.write(lines: [try folder.write([1, 2, 3] + bytes, to: "bad.xyz")])
    captured.aacorn("batch", bad, "--output-folder", folder.path("out"), status: .failed)
    #expect(try lastEntry().inputDigest == SHA256.text(SHA256.digest(of: [1, 2, 3] + bytes)))
  }

  @Test func anOutputIsRememberedThoughALaterAttemptFails() throws {
    let input = try folder.write(wavFile(frames: 3000), to: "a.wav")
    let path = try folder.write(lines: [input])
    captured.aacorn("batch", path)
    let done = try lastEntry()
    for _ in 0..<2 {
      try System.rename(input, to: folder.path("away.wav"))
      captured.aacorn("batch", path, status: .failed)
      #expect(try lastEntry().outcome == .postponed)
      #expect(try lastEntry().product.digest == done.product.digest)
      try System.rename(folder.path("away.wav"), to: input)
    }
    // Other bytes of the same size show that the file is not encoded again.
    try folder.write(Array(repeating: 7, count: try folder.read("a.m4a").count), to: "a.m4a")
    captured.aacorn("batch", path)
    #expect(try folder.read("a.m4a").first == 7)
    let again = try lastEntry()
    #expect(again.outcome == .done && again.product.digest == done.product.digest)
    #expect(again.product.sampleCount == 3000 && again.made == nil && again.ended != nil)

    // After a change of the settings, the run replaces its own output.
    try System.rename(input, to: folder.path("away.wav"))
    captured.aacorn("batch", path, status: .failed)
    try System.rename(folder.path("away.wav"), to: input)
    captured.aacorn("batch", path, "-b", "48k")
    #expect(try folder.read("a.m4a").first != 7)
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

  /// The digest in the ledger shows whether the input was read.
  @Test func inputIsReadUnlessTimesAreTrusted() throws {
    let path = try folder.write(lines: [try folder.write(wavFile(frames: 3000), to: "a.wav")])
    captured.aacorn("batch", path)
    var entry = try lastEntry()
    entry.inputDigest = "other"
    try folder.write((entry.text + "\n"), to: "all.txt.ledger")
    captured.aacorn("batch", path, "--trust-times", output: "1 already done")
    captured.aacorn("batch", path, output: "1 file encoded")
    #expect(try lastEntry().inputDigest != "other")
    // Without a digest, the input is read.
    entry.inputDigest = nil
    try folder.write((entry.text + "\n"), to: "all.txt.ledger")
    captured.aacorn("batch", path, "--trust-times", output: "1 file encoded")
    #expect(try lastEntry().inputDigest != nil)
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

  /// The state of an entry after a later run has found the output lost.
  @Test func lostOutputIsEncodedAgain() throws {
    let path = try folder.write(lines: [try folder.write(wavFile(frames: 3000), to: "a.wav")])
    captured.aacorn("batch", path)
    let (made, output) = (try lastEntry(), try folder.read("a.m4a"))
    let lost = made.markedAsLost("It was changed.")
    #expect(lost.product.digest == made.product.digest)
    #expect(lost.product.size == nil && lost.made == nil && lost.source == nil)
    for bytes in [[1, 2, 3], output + [0], output] {
      try folder.write(bytes, to: "a.m4a")
      try Ledger(path + ".ledger").append(lost)
      captured.aacorn("batch", path)
      #expect(try lastEntry().outcome == .done)
      #expect(try folder.read("a.m4a") == output)
    }
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

  private func ledger(_ name: String, _ entries: [LedgerEntry]) throws -> String {
    try folder.write(entries.map { $0.text + "\n" }.joined(), to: name)
  }

  @Test func lastLineOfEachOutputIsMerged() throws {
    var (old, new) = (LedgerEntry(), LedgerEntry())
    (old.output, new.output) = ("a.m4a", "./a.m4a")
    (old.ended, new.ended) = ("2026-11-23T09:00:00.000Z", "2026-11-23T09:00:00.001Z")
    old.outcome = .failed
    var paths = try [ledger("new", [new]), ledger("old", [old])]
    for paths in [paths, paths.reversed()] {
      captured.aacorn(["batch", "--merge", "-f", "-o", folder.path("merged")] + paths)
      #expect(try folder.text("merged") == new.text + "\n")
    }
    // For equal times, the last entry counts.
    new.ended = old.ended
    paths[0] = try ledger("new", [new])
    captured.aacorn(["batch", "--merge"] + paths, status: .failed)
    captured.aacorn(["batch", "--merge"] + paths.reversed())
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
      _ = try LedgerMerge([first, second], Interruption()) { (_) in
        _ = try? folder.write([], to: "2.ledger")
      }
    }
    #expect(failure?.kind == .cannotRead)
    #expect(failure?.message.contains("2.ledger” was changed by another program") == true)
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

  @Test func onlyLedgersAreMerged() throws {
    let bad = try folder.write("a.wav\n", to: "all.txt")
    for path in [bad, "/dev/zero", folder.path] {
      captured.aacorn("batch", "--merge", path, status: .cannotRead)
    }
    captured.expectErrors("is not a ledger of “aacorn batch”")
    let empty = try folder.write([], to: "all.txt.ledger")
    captured.aacorn("batch", "--merge", empty)
  }

  @Test func mergeOfUnreadableLedgersFails() throws {
    let broken = try folder.write("{\"line\":1,\n{\"line\":2,\n", to: "broken")
    captured.aacorn("batch", "--merge", "--json", broken, status: .failed)
    captured.expectOutput(#""unreadable":2"#)
    captured.expectErrors("2 lines of the ledgers could not be read")
    // The readable lines are reported.
    var entry = LedgerEntry()
    entry.output = "a.m4a"
    captured.aacorn("batch", "--merge", broken, try ledger("l", [entry]))
  }

  /// A run that was killed leaves such a line.
  @Test func incompleteLastLineIsIgnored() throws {
    let killed = try folder.write(#"{"line":1,"inp"#, to: "killed")
    captured.aacorn("batch", "--merge", "--json", killed, output: #""unreadable":0"#)
    #expect(captured.errors.isEmpty, "\(captured.errors)")
  }

  @Test func missingPartsAreReported() throws {
    var entry = LedgerEntry()
    entry.output = "a.m4a"
    let path = try ledger("l.00001-of-00002", [entry])
    captured.aacorn("batch", "--merge", "--json", path, status: .failed, errors: "l.00002-of-00002")
    captured.expectOutput("\"missing\":[\"\(folder.path("l.00002-of-00002"))\"]")
    let other = try ledger("l.00002-of-00002", [])
    captured.aacorn("batch", "--merge", path, other)
  }

  /// The tables grow several times.
  @Test func latestOfManyLinesInSeveralLedgersAreMerged() throws {
    var latest: [String: LedgerEntry] = [:]
    var paths: [String] = []
    for number in 0..<3 {
      var lines: [String] = []
      for line in 0..<400 {
        var entry = LedgerEntry()
        entry.output = "out/\((line * 7 + number * 13) % 311).m4a"
        entry.ended = "2026-11-23T09:00:00.\(100 + (line * 37 + number * 11) % 50)Z"
        entry.inputSize = 1000 * number + line
        lines.append(entry.text)
        let last = latest[entry.output]?.endedNumber ?? 0
        if entry.endedNumber >= last { latest[entry.output] = entry }
      }
      lines.insert(String(lines[3].prefix(40)), at: 100)
      paths.append(try folder.write(lines: lines, to: "\(number).ledger"))
    }
    var kept: [String] = []
    let merge = try LedgerMerge(paths, Interruption()) { (line) in
      kept.append(String(decoding: line, as: UTF8.self))
    }
    #expect(Set(kept) == Set(latest.values.map { $0.text + "\n" }))
    #expect(kept.count == 311 && merge.unreadableCount == 3)
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
    let run = try BatchRun(settings, ledger: ledger, total: 450, in: captured.console)
    #expect(run.run(try LineReader(manifest, Interruption())) == .failed)
    // There are no inputs, so each line fails and keeps the properties of its known output.
    var inputs: [String] = []
    for entry in try folder.entries("ledger").dropFirst(600) {
      let number = (entry.line - 1) * 7 % 900
      #expect(entry.product.size == (number < 100 ? number + 500 : number < 500 ? number : nil))
      inputs.append(entry.input)
    }
    let expected = (0..<900).map { "in/\($0 * 7 % 900).wav" }.filter {
      settings.shard.contains(ManifestLine.number(of: settings.output(of: $0)))
    }
    #expect(inputs == expected && inputs.count > 300)
  }

  @Test func eachPartHasOwnNumbers() throws {
    let shard = Shard(index: 1, count: 3)
    #expect(BatchCommand.metricsPath("d/mp.prom", of: shard) == "d/mp.00002-of-00003.prom")
    #expect(BatchCommand.metricsPath("mp", of: shard) == "mp.00002-of-00003")
    #expect(BatchCommand.metricsPath("mp.prom", of: Shard()) == "mp.prom")
    let path = try folder.write(lines: [try folder.write(wavFile(frames: 3000), to: "a.wav")])
    for part in 1...2 {
      let metrics = folder.path("mp.prom")
      captured.aacorn("batch", path, "--shard", "\(part)/2", "--metrics", metrics)
    }
    #expect(folder.names.filter { $0.hasSuffix("-of-00002.prom") }.count == 2)
    captured.aacorn("batch", path, "--shard", "1/2", "--shards", "9", status: .usage)
  }
}
