import AacornCodec
import AacornRecording
import AacornSystem
import Foundation
import Simulation
import SoundRigs
import Testing

@testable import AacornCommands

@Suite struct EncodeCommandTests {
  private let folder = TemporaryFolder()
  private let captured = CapturedConsole()

  @Test(arguments: ["m4a a.m4a", "m4a a.m4b", "m4a a.mp4", "aac a.adts", "m4a a.part", "latm a"])
  func suffixOfTheFormatOrOfNoFormatIsAccepted(words: String) throws {
    let words = words.split(separator: " ").map(String.init)
    let input = try folder.write(wavFile(frames: 3000), to: "a.wav")
    captured.aacorn("encode", input, "--format", words[0], "-o", folder.path(words[1]))
    #expect(folder.names.contains(words[1]))
  }

  @Test(arguments: ["2024", "2024-05", "2024-05-31", "2024-05-31T10:00:00Z", "0000"])
  func datesOfTagsAreAccepted(date: String) throws {
    #expect(try OptionValue.date(date, "--date") == date)
  }

  @Test func theBytesDoNotDependOnTheNumberOfJobs() throws {
    let inputs = try (0..<5).map {
      try folder.write(wavFile(frames: 4000 + 999 * $0), to: "\($0).wav")
    }
    for (name, jobs) in [("one", "1"), ("many", "4")] {
      captured.aacorn(["encode", "-j", jobs, "--output-folder", folder.path(name)] + inputs)
    }
    for number in 0..<5 {
      #expect(try folder.read("one/\(number).m4a") == folder.read("many/\(number).m4a"))
    }
  }

  @Test func resultsFollowInputOrder() throws {
    let inputs = try (0..<6).map {
      try folder.write(wavFile(frames: 60_000 - 9000 * $0), to: "\($0).wav")
    }
    captured.aacorn(["encode", "--json", "-j", "3"] + inputs)
    let lines = captured.output.split(separator: "\n")
    #expect(lines.count == 6)
    for (number, line) in lines.enumerated() {
      #expect(line.contains("\"output\":\"\(folder.path("\(number).m4a"))\",\"status\":\"ok\""))
    }
  }

  @Test func anInputIsNeverReplaced() throws {
    let content = wavFile(frames: 3000)
    let input = try folder.write(content, to: "a.m4a")
    captured.aacorn("encode", "--force", input, status: .cannotWrite, errors: "is an input")
    let other = try folder.write(content, to: "b.wav")
    captured.aacorn("encode", "--force", other, input, status: .failed)
    #expect(try folder.read("a.m4a") == content)
  }

  @Test func aSubfolderKeepsItsPlaceInTheOutputFolder() throws {
    try folder.write(wavFile(frames: 2000), to: "in/a/b/c.wav")
    try folder.write(wavFile(frames: 2000), to: "in/d.wav")
    captured.aacorn("encode", folder.path("in"), "--output-folder", folder.path("out/deep"))
    #expect(try folder.read("out/deep/a/b/c.m4a").count > 100)
    #expect(try folder.read("out/deep/d.m4a").count > 100)
  }

  @Test func suffixAndFormatChooseTheKindOfFile() throws {
    let input = try folder.write(wavFile(frames: 3000), to: "a.wav")
    captured.aacorn("encode", input, "-o", folder.path("a.aac"), "--crc")
    #expect(try folder.read("a.aac").prefix(2) == [0xFF, 0xF0])
    captured.aacorn("encode", input, "-o", folder.path("b.aac"), "--mpeg2")
    #expect(try folder.read("b.aac").prefix(2) == [0xFF, 0xF9])
    captured.aacorn("encode", input, "--format", "latm")
    #expect(try folder.read("a.latm").prefix(1) == [0x56])
    captured.aacorn("encode", input, "-o", folder.path("a.mp3"), status: .usage)
    captured.aacorn("encode", input, "--crc", status: .usage)
    captured.aacorn("encode", input, "-o", folder.path("c.aac"), "--title", "x", status: .usage)
    #expect(!folder.names.contains("c.aac"))
  }

  @Test func tagsAndCoverAreWrittenAndACoverMustBeAPicture() throws {
    let input = try folder.write(wavFile(frames: 3000), to: "a.wav")
    let picture = try folder.write([0xFF, 0xD8, 0xFF, 0xE0, 1, 2, 3], to: "c.jpg")
    let status = captured.run(["encode", input, "--title", "Größe", "--cover", picture])
    #expect(status == .success)
    captured.aacorn("inspect", "--json", folder.path("a.m4a"), output: #""tags":{"title":"Größe","#)
    captured.aacorn("encode", "-f", input, "--cover", input, status: .failed)
    captured.expectErrors("neither JPEG nor PNG")
    captured.aacorn("encode", "-f", input, "--cover", folder.path("no"), status: .cannotRead)
    let large = try folder.write(wavFile(frames: 2_100_000), to: "large.wav")
    let wrong = CapturedConsole(
      running: ["encode", "-f", input, "--cover", large], status: .failed)
    wrong.expectErrors("large.wav” is neither JPEG nor PNG")
  }

  @Test func tagsOfTheInputAreKeptUnlessOptionsSayOtherwise() throws {
    let name = Array("INAM".utf8) + [4, 0, 0, 0] + Array("Name".utf8)
    let artist = Array("IART".utf8) + [2, 0, 0, 0] + Array("Me".utf8)
    let list = Array("LIST".utf8) + [26, 0, 0, 0] + Array("INFO".utf8) + name + artist
    let input = try folder.write(wavFile(frames: 3000) + list, to: "a.wav")
    func tags(_ options: String...) throws -> String {
      let output = folder.path("a.m4a")
      captured.aacorn(["encode", "-fq", input] + options)
      let report = CapturedConsole(running: ["inspect", "--json", output])
      let tail = report.output.split(separator: #""tags":"#).dropFirst().first ?? ""
      return String(tail.prefix { $0 != "}" })
    }
    #expect(try tags().hasPrefix(#"{"title":"Name","artist":"Me","encoder""#))
    #expect(try tags("--title", "Other").hasPrefix(#"{"title":"Other","artist":"Me","encoder""#))
    #expect(try tags("--no-tags").hasPrefix(#"{"encoder""#))
    captured.aacorn("encode", input, "-o", folder.path("a.aac"), errors: "cannot carry the tags")
    let quiet = CapturedConsole(running: [
      "encode", "-f", "--no-tags", input, "-o", folder.path("a.aac"),
    ])
    #expect(quiet.errors.isEmpty)
  }

  @Test func rawSamplesGiveTheSameSoundAsAHeader() throws {
    let wav = wavFile(frames: 6000, channels: 1, rate: 32_000)
    let input = try folder.write(wav, to: "a.wav")
    let raw = try folder.write(Array(wav[44...]), to: "a.raw")
    captured.aacorn("encode", input, "-o", folder.path("1.aac"))
    let status = captured.run([
      "encode", raw, "-o", folder.path("2.aac"), "--raw-format", "s16le", "--raw-rate", "32k",
      "--raw-channels", "1",
    ])
    #expect(status == .success)
    #expect(try folder.read("1.aac") == folder.read("2.aac"))
    captured.aacorn("encode", raw, "--raw-rate", "8k", status: .usage)
  }

  @Test func unreadableInputReportsPermission() throws {
    try asOrdinaryUser {
      let folder = TemporaryFolder()
      let input = try folder.write(wavFile(frames: 3000), to: "a.wav")
      folder.setPermissions(0, of: "a.wav")
      captured.aacorn("encode", input, status: .cannotRead, errors: "permission")
      #expect(folder.names == ["a.wav"])
    }
  }

  /// Encodes a long file, and calls `change` with its path during the work.
  private func encode(
    frames: Int = 200_000, threadCount: Int = 1, while change: (String) throws -> Void
  ) throws {
    let input = try folder.write(wavFile(frames: frames), to: "a.wav")
    var request = EncodeRequest(
      .file(input), to: folder.path("a.m4a"), .m4a, of: EncodeCommand(), coverImage: [])
    request.options.threadCount = threadCount
    var work = try EncodeWork(request, interruption: captured.interruption)
    var isChanged = false
    _ = try work.run { _, _ in
      if isChanged { return }
      isChanged = true
      #expect(throws: Never.self) { try change(input) }
    }
  }

  /// The output would be a mixture.
  ///
  /// With several threads, each reads its own part of the file.
  @Test(arguments: [(200_000, 1), (4_000_000, 2)])
  func inputChangedDuringEncodingIsReported(frames: Int, threadCount: Int) throws {
    let failure = #expect(throws: CommandFailure.self) {
      try encode(frames: frames, threadCount: threadCount) { input in
        let file = try #require(FileHandle(forWritingAtPath: input))
        try file.write(contentsOf: wavFile(frames: 100_000))
      }
    }
    #expect(failure?.message.contains("was changed by another program while it was read") == true)
    #expect(folder.names == ["a.wav"])
  }

  /// A thread that finds the end of the file too early reports it.
  @Test func inputTruncatedDuringEncodingIsReported() throws {
    let failure = #expect(throws: CommandFailure.self) {
      try encode(frames: 8_000_000, threadCount: 2) { input in
        let file = try #require(FileHandle(forWritingAtPath: input))
        try file.truncate(atOffset: 100_000)
      }
    }
    #expect(failure?.message.contains("was changed by another program while it was read") == true)
    #expect(folder.names == ["a.wav"])
  }

  /// The open file has the whole sound.
  @Test func inputReplacedDuringEncodingIsEncodedCompletely() throws {
    try encode { _ in }
    let expected = try folder.read("a.m4a")
    try System.remove(folder.path("a.m4a"))
    try encode { _ in try folder.write(wavFile(frames: 100_000), to: "a.wav") }
    #expect(try folder.read("a.m4a") == expected)
    try System.remove(folder.path("a.m4a"))
    try encode { input in try System.remove(input) }
    #expect(try folder.read("a.m4a") == expected)
  }

  static let foreign: [(bytes: [UInt8], phrase: String)] = [
    (Array("fLaC\0\0\0\u{22}".utf8), "is a FLAC file"),
    (Array("OggS\0\u{2}\0\0".utf8), "is an Ogg file"),
    (
      [0x1A, 0x45, 0xDF, 0xA3, 1, 0, 0, 0],
      "is a Matroska or WebM file. “aacorn encode” reads WAV, AIFF, CAF, "
    ),
    (Array("RIFF\0\0\0\0AVI LIST".utf8), "is an AVI file. "),
    (Array("MThd\0\0\0\u{6}".utf8), "is a MIDI file, which contains notes, not sound. "),
  ]

  /// Files that the system's sound library reads, and that contain no AAC.
  static let decodable: [(bytes: [UInt8], phrase: String)] = [
    (mp3File(tagByteCount: 0), "is an MP3 file"),
    (mp3File(tagByteCount: 5000), "is an MP3 file"),
    (mp3File(tagByteCount: 200_000), "is an MP3 file"),
  ]

  @Test(arguments: decodable)
  func supportedFormatsAreEncoded(bytes: [UInt8], phrase: String) throws {
    let path = try folder.write(bytes, to: "a.wav")
    captured.aacorn("encode", "-q", path)
    #expect(folder.names == ["a.m4a", "a.wav"])
  }

  @Test(arguments: foreign)
  func otherFormatsAreIdentified(bytes: [UInt8], phrase: String) throws {
    let path = try folder.write(bytes, to: "a.wav")
    captured.aacorn("encode", path, status: .failed, errors: "a.wav” " + phrase)
    #expect(captured.errors.split(separator: "\n").count == 1)
    #expect(folder.names == ["a.wav"])
  }

  @Test func ratesWithoutACodeAreConverted() throws {
    let input = try folder.write(wavFile(frames: 3780, rate: 37_800), to: "a.wav")
    captured.aacorn("encode", "--json", input, output: #""sampleRate":44100"#, #""samples":4410,"#)
    captured.expectErrors("37.8 kHz")
    #expect(AudioConversion.suitableRate(for: 192_000) == 48_000)
    #expect(AudioConversion.suitableRate(for: 176_400) == 44_100)
    #expect(AudioConversion.suitableRate(for: 96_000) == 96_000)
    #expect(AudioConversion.suitableRate(for: 50_000) == 48_000)
    #expect(AudioConversion.suitableRate(for: 5512) == 8000)
  }

  /// Three segments.
  ///
  /// The number of threads must not affect the bytes.
  @Test func threadCountLeavesOutputUnchanged() throws {
    let input = try folder.write(wavFile(frames: 1_200_000), to: "a.wav")
    for jobs in ["1", "2", "5"] {
      let output = folder.path("\(jobs).aac")
      captured.aacorn("encode", "-q", "-j", jobs, input, "-o", output)
      #expect(try folder.read("\(jobs).aac") == folder.read("1.aac"))
    }
    // The segments of a stream of unknown length are encoded in parallel as well.
    let tone = ["encode", "-q", "--tone", "30"]
    captured.aacorn(tone + ["-j", "1", "-o", folder.path("t1.m4a")])
    captured.aacorn(tone + ["-j", "3", "-o", folder.path("t3.m4a")])
    #expect(try folder.read("t1.m4a") == folder.read("t3.m4a"))
  }

  @Test func aSignalStopsTheWorkAndLeavesNothing() throws {
    let input = try folder.write(wavFile(frames: 200_000), to: "a.wav")
    captured.interruption.raise(System.interruptSignal)
    #expect(captured.run(["encode", input]).code == 130)
    #expect(folder.names == ["a.wav"])
    captured.expectErrors("unfinished files were removed")
  }

  @Test(arguments: [false, true], [1, 3])
  func aSignalInTheMiddleLeavesNothing(isTone: Bool, threadCount: Int) throws {
    let frames = isTone || threadCount == 1 ? 200_000 : 4_000_000
    let input = try folder.write(wavFile(frames: frames), to: "a.wav")
    let source = isTone ? SoundOrigin.tone(milliseconds: 3_600_000) : .file(input)
    var failure: CommandFailure?
    var blocks = 0
    var sawTemporary = false
    do throws(CommandFailure) {
      var request = EncodeRequest(
        source, to: folder.path("a.m4a"), .m4a, of: EncodeCommand(), coverImage: [])
      request.options.threadCount = threadCount
      var work = try EncodeWork(request, interruption: captured.interruption)
      _ = try work.run { _, _ in
        blocks += 1
        sawTemporary = folder.names.contains { $0.hasSuffix(".tmp") }
        captured.interruption.raise(System.terminateSignal)
      }
    } catch {
      failure = error
    }
    #expect(sawTemporary)
    #expect(blocks == 1)
    #expect(failure?.exitStatus.code == 143)
    #expect(folder.names == ["a.wav"])
  }

  @Test func theBuiltInSoundIsAlwaysTheSame() throws {
    var tone = ToneGenerator(milliseconds: 3000)
    var bytes = [UInt8](repeating: 0, count: 200_000)
    var sum: UInt64 = 0
    var (count, peak) = (0, 0)
    while case let length = tone.read(into: &bytes), length > 0 {
      count += length
      for index in stride(from: 0, to: length, by: 2) {
        let sample = Int(Int8(bitPattern: bytes[index + 1])) << 8 | Int(bytes[index])
        sum = sum &* 31 &+ UInt64(bitPattern: Int64(sample))
        peak = max(peak, abs(sample))
      }
    }
    #expect(count == 3 * 44_100 * 4)
    #expect((8000...32_000).contains(peak))
    // If this checksum changes, every demonstration changes.
    #expect(sum == 7_715_079_550_069_003_431)
  }
}

/// On virtual time, the wait for a reader takes no time.
@Suite(.simulated(seeds: 1), .needsSimulation) struct OutputPipeTests {
  @Test(
    arguments: [
      ("encode a.wav", "pipe.m4a"), ("encode a.wav", "pipe.aac"), ("decode a.m4a", "pipe.wav"),
      ("cut a.m4a --end 0.02", "pipe.m4a"), ("join a.m4a a.m4a", "pipe.m4a"),
    ] as [(Words, String)])
  func pipeWithoutReaderIsReported(command: Words, pipe: String) throws {
    let folder = TemporaryFolder()
    let sound = try folder.write(wavFile(frames: 2000), to: "a.wav")
    CapturedConsole(running: ["encode", "-q", sound])
    folder.makePipe(pipe)
    let words = command.words.map { $0.hasPrefix("a.") ? folder.path($0) : $0 }
    let captured = CapturedConsole(
      running: words + ["-o", folder.path(pipe)], status: .cannotWrite)
    captured.expectErrors("\(pipe)”: no program reads this pipe. Start its reader first.")
    #expect(captured.output.isEmpty)
  }
}
