import AacornCodec
import AacornRecording
import AacornSignal
import AacornSoundFiles
import AacornSystem
import Testing

@testable import AacornCommands

@Suite struct DecodeCommandTests {
  private let folder = TemporaryFolder()
  private let captured = CapturedConsole()

  /// An AAC file of a triangle wave.
  @discardableResult
  private func coded(
    _ name: String, frames: Int = 30_000, channels: Int = 2, rate: Int = 44_100,
    options: [String] = []
  ) throws -> String {
    let source = try folder.write(
      triangle(frames: frames, channels: channels, rate: rate), to: "source/\(name).wav")
    let output = folder.path(name)
    CapturedConsole(running: ["encode", source, "-o", output] + options)
    return output
  }

  private func triangle(frames: Int, channels: Int, rate: Int) -> [UInt8] {
    let writer = WAVWriter(encoding: .float32, sampleRate: rate, channelCount: channels)
    var bytes = writer.header(frameCount: UInt64(frames))
    let samples = (0..<frames * channels).map { tone($0 / channels) }
    writer.append(samples.span, to: &bytes)
    return bytes
  }

  private func tone(_ frame: Int) -> Float {
    let phase = Float(frame % 100) / 100
    return (phase < 0.5 ? phase : 1 - phase) - 0.25
  }

  /// The format and samples of an output file.
  private func sound(_ name: String) throws -> (info: PCMFileInfo, samples: [Float]) {
    let bytes = try folder.read(name)
    var reader = PCMFileReader()
    guard case .ready(let info) = try reader.push(bytes.span) else {
      Issue.record("\(name) has no complete header")
      throw PCMFileError.notRecognized
    }
    var frames = PCMFrameReader(format: info.format, byteCount: info.dataByteCount)
    var samples: [Float] = []
    frames.read(bytes.span.extracting(Int(info.dataOffset)...), into: &samples)
    return (info, samples)
  }

  @Test func outputIsNextToInputWithEqualLength() throws {
    let input = try coded("a.m4a", frames: 30_001)
    captured.aacorn("decode", input)
    #expect(folder.names == ["a.m4a", "a.wav", "source"])
    captured.expectOutput("a.wav: 0:00.7, 44.1 kHz, 2 channels, ")
    #expect(captured.errors.isEmpty)
    let (info, samples) = try sound("a.wav")
    #expect(info.format.sampleFormat == SampleFormat(.int16LittleEndian))
    #expect(samples.count == 2 * 30_001)
    var (power, error) = (0.0, 0.0)
    for index in 4000..<samples.count {
      let wanted = tone(index / 2)
      power += Double(wanted * wanted)
      error += Double((samples[index] - wanted) * (samples[index] - wanted))
    }
    // A signal-to-noise ratio of 10 dB.
    #expect(power > 10 * error)
  }

  @Test(arguments: ["wav", "aiff", "caf"], ["s16", "s24", "s32", "f32"])
  func everyFormatDecodesToSameSamples(format: String, samples name: String) throws {
    let input = try coded("a.m4a", frames: 5001, channels: 1)
    let arguments = ["--format", format, "--sample-format", name, "--no-dither"]
    captured.aacorn(["decode", input] + arguments)
    let other = ["-o", folder.path("b.caf"), "--sample-format", "f32"]
    captured.aacorn(["decode", input] + other)
    let (info, samples) = try sound("a.\(format)")
    let exact = try sound("b.caf").samples
    #expect(samples.count == 5001 && exact.count == 5001)
    #expect(info.format.sampleFormat.isFloatingPoint == (name == "f32"))
    #expect("\(name.dropFirst())" == "\(info.format.sampleFormat.bitsPerSample)")
    let step: Float = name == "s16" ? 0.51 / 32_768 : name == "f32" ? 0 : 0.51 / 8_388_608
    #expect(zip(samples, exact).allSatisfy { abs($0 - $1) <= step })
  }

  @Test func rawSamplesAreThoseOfTheFile() throws {
    let input = try coded("a.aac")
    captured.aacorn("decode", input, "-o", folder.path("a.raw"))
    captured.aacorn("decode", input)
    let wav = try folder.read("a.wav")
    let raw = try folder.read("a.raw")
    #expect(Array(wav.suffix(raw.count)) == raw && wav.count - raw.count < 200)
  }

  @Test func aPartIsExactToTheSample() throws {
    let input = try coded("a.m4a", frames: 100_000)
    let exact = ["--sample-format", "f32"]
    captured.aacorn(["decode", input, "-o", folder.path("all.wav")] + exact)
    let all = try sound("all.wav").samples
    #expect(all.count == 200_000)
    let parts: [(String, String?)] = [
      ("0.5s", "1s"), ("0", "250ms"), ("1.5s", "10s"), ("2s", nil),
    ]
    for (start, duration) in parts {
      var arguments = ["decode", "-f", input, "-o", folder.path("part.wav"), "--start", start]
      if let duration { arguments += ["--duration", duration] }
      captured.aacorn(arguments + exact)
      let part = try sound("part.wav").samples
      let first = 2 * 44_100 * (TimeText.milliseconds(start) ?? 0) / 1000
      let count = duration.flatMap(TimeText.milliseconds).map { 2 * 44_100 * $0 / 1000 }
      #expect(part == Array(all[first...].prefix(count ?? .max)), "\(start) \(duration ?? "")")
    }
    let range = ["decode", "-f", input, "-o", folder.path("range.wav"), "--start", "0.1"]
    captured.aacorn(range + ["--end", "0.3"], output: "range.wav: 0:00.2, ")
    captured.aacorn("decode", "-f", input, "--start", "3s", status: .failed)
    captured.expectErrors("ends before 0:03.0")
    captured.aacorn("decode", "-f", input, "--start", "2.2675737", status: .failed)
    captured.expectErrors("ends at 0:02.3, the requested start.")
  }

  @Test func untrimmedOutputIsLonger() throws {
    let input = try coded("a.m4a", frames: 30_000)
    captured.aacorn("decode", input, "--untrimmed")
    let count = try sound("a.wav").samples.count / 2
    #expect(count > 30_000 && count % 1024 == 0)
  }

  @Test func rateAndChannelsAreConverted() throws {
    let input = try coded("a.m4a", frames: 44_100, channels: 6)
    let status = captured.run(
      ["decode", input, "--rate", "48k", "--channels", "2", "--sample-format", "f32"])
    #expect(status == .success)
    let (info, samples) = try sound("a.wav")
    #expect(info.format.sampleRate == 48_000 && info.format.channelCount == 2)
    #expect(samples.count == 2 * 48_000)
    captured.aacorn("decode", "-f", input, "--channels", "4", status: .failed)
    captured.expectErrors("cannot be mixed to 4")
    // A file with more than two channels states its layout.
    captured.aacorn("decode", "-f", input)
    #expect(try sound("a.wav").info.format.layout == ChannelLayout.standard(channelCount: 6))
  }

  @Test func theBytesDoNotDependOnTheJobs() throws {
    try coded("a.aac")
    let once = try folder.read("a.aac")
    // More than one segment.
    let input = try folder.write((0..<20).flatMap { _ in once }, to: "b.aac")
    captured.aacorn("decode", "-j", "1", input, "-o", folder.path("1.wav"))
    captured.aacorn("decode", "-j", "3", input, "-o", folder.path("3.wav"))
    #expect(try folder.read("1.wav") == folder.read("3.wav"))
  }

  @Test func folderStructureIsPreserved() throws {
    try coded("a.aac")
    let input = try folder.read("a.aac")
    try folder.write(input, to: "in/x/b.aac")
    try folder.write(input, to: "in/c.adts")
    try folder.write([1, 2, 3], to: "in/notes.txt")
    let output = folder.path("out")
    captured.aacorn("decode", folder.path("in"), "--output-folder", output)
    #expect(try folder.read("out/x/b.wav") == folder.read("out/c.wav"))
    captured.expectOutput("2 files decoded")
    captured.aacorn("decode", folder.path("source"), status: .cannotRead)
    captured.expectErrors("contains no sound files that can be read")
  }

  /// The first frame itself is not heard, but it fades into the second one.
  @Test func damageInTheFirstFrameIsReported() throws {
    let input = try coded("a.m4a", frames: 60_000)
    var bytes = try folder.read("a.m4a")
    let tag = Array("mdat".utf8)
    let start = try #require(bytes.indices.dropLast(3).first { Array(bytes[$0..<$0 + 4]) == tag })
    for index in start + 12..<start + 60 { bytes[index] = 0xFF }
    try folder.write(bytes, to: "b.m4a")
    captured.aacorn("decode", input)
    captured.aacorn("decode", folder.path("b.m4a"), status: .failed)
    captured.expectErrors("Warning: ")
  }

  @Test func damagedInputIsReportedAndDecoded() throws {
    let input = try coded("a.aac", frames: 60_000)
    var bytes = try folder.read("a.aac")
    let middle = bytes.count / 2
    for index in middle..<middle + 300 { bytes[index] = 0 }
    try folder.write(bytes, to: "b.aac")
    captured.aacorn("decode", input)
    captured.aacorn("decode", "--json", folder.path("b.aac"), status: .failed)
    captured.expectOutput(#""status":"damaged""#)
    captured.expectErrors("Warning: ")
    #expect(try sound("b.wav").samples.count > 2 * 40_000)
    let quiet = CapturedConsole(running: ["decode", "-fq", folder.path("b.aac")], status: .failed)
    #expect(quiet.errors.contains("Warning: ") && quiet.output.isEmpty)
    // Undamaged inputs do not hide the damaged one.
    captured.aacorn("decode", "-f", input, folder.path("b.aac"), status: .failed)
  }

  /// A single frame may be legitimate, so the file does not count as damaged.
  @Test func audioFarAboveFullScaleIsReported() throws {
    let input = try coded("a.aac", channels: 1)
    var bytes = try folder.read("a.aac")
    // Frame 15 begins after 0.35 s.
    var start = 0
    for _ in 0..<15 {
      let upper = Int(bytes[start + 3] & 3) << 11
      start += upper + Int(bytes[start + 4]) << 3 + Int(bytes[start + 5] >> 5)
    }
    // The gain follows a header without checksum, and 7 bits of a single channel element.
    let body = start + 7
    try #require(bytes[start + 1] & 1 == 1 && bytes[body] >> 5 == 0)
    let gain = Int(bytes[body] & 1) << 7 + Int(bytes[body + 1] >> 1) + 20
    bytes[body] = bytes[body] & 0xFE | UInt8(gain >> 7)
    bytes[body + 1] = UInt8(gain & 0x7F) << 1 | bytes[body + 1] & 1
    let loud = try folder.write(bytes, to: "b.aac")
    for arguments in [["decode", "--sample-format", "f32"], ["decode"], ["encode"]] {
      let run = CapturedConsole(running: [arguments[0], "-f", loud] + arguments.dropFirst())
      run.expectErrors("b.aac” peaks at 1", " dBFS and exceeds 6 dBFS first at 0:00.3; unless ")
      let warnings = run.errors.split(separator: "\n").filter { $0.contains("exceeds") }
      #expect(warnings.count == 1)
    }
    let exact = ["--sample-format", "f32"]
    captured.aacorn(["decode", "-f", input] + exact)
    // The part before the frame is not loud.
    captured.aacorn(["decode", "-f", loud, "--duration", "0.2"] + exact)
    #expect(captured.errors.isEmpty, "\(captured.errors)")
  }

  @Test func otherCodecInMP4IsNamed() throws {
    let input = try coded("a.m4a", frames: 5000)
    var bytes = try folder.read("a.m4a")
    let entry = try #require(
      bytes.indices.first { bytes[$0...].starts(with: Array("mp4a".utf8)) })
    bytes.replaceSubrange(entry..<entry + 4, with: Array("alac".utf8))
    try folder.write(bytes, to: "b.m4a")
    captured.aacorn("decode", folder.path("b.m4a"), status: .failed)
    captured.expectErrors(
      "b.m4a” contains ALAC (Apple Lossless), not AAC. Convert with ffmpeg: “ffmpeg -i FILE ")
    // The movie box is renamed, and therefore not found.
    bytes = try folder.read("a.m4a")
    let movie = try #require(
      bytes.indices.first { bytes[$0...].starts(with: Array("moov".utf8)) })
    bytes.replaceSubrange(movie..<movie + 4, with: Array("skip".utf8))
    try folder.write(bytes, to: "c.m4a")
    captured.aacorn("decode", folder.path("c.m4a"), status: .failed)
    captured.expectErrors("the table of its frames is missing. “aacorn repair” may find")
    captured.aacorn("decode", input)
  }

  static let wrong: [Words] = [
    [], "- -", "a.aac -o b.wav --output-folder c", "a.aac --json -o -", "a.aac -o b.mp3",
    "a.aac --sample-format s8", "a.aac --start soon", "a.aac --duration 0", "a.aac --end 2 -d 1",
    "a.aac --start 2 --end 1", "a.aac --format flac", "a.aac b.wav", "-",
    "a.aac -o - --format aiff", "a.aac --track 0",
  ]

  @Test(arguments: wrong)
  func wrongArgumentsAreRefused(arguments: Words) {
    captured.aacorn(["decode"] + arguments.words, status: .usage)
    #expect(captured.output.isEmpty)
    #expect(captured.errors.hasPrefix("aacorn: "))
  }

  @Test func reencodingKeepsTagsAndWarns() throws {
    let picture = try folder.write([0xFF, 0xD8, 0xFF, 0xE0, 1, 2, 3], to: "c.jpg")
    let input = try coded("a.m4a", options: ["--title", "Größe", "--cover", picture])
    let output = folder.path("b.m4a")
    let options = ["-o", output, "--artist", "A", "-b", "64k"]
    captured.aacorn(["encode", input] + options, errors: "reduces its quality further")
    let again = CapturedConsole(running: ["inspect", "--json", output])
    again.expectOutput(#""tags":{"title":"Größe","artist":"A","#, #""samples":30000,"#)
    let bytes = try folder.read("b.m4a")
    let jpeg: [UInt8] = [0xFF, 0xD8, 0xFF, 0xE0, 1, 2, 3]
    #expect(bytes.indices.contains { bytes[$0...].starts(with: jpeg) })
  }
}
