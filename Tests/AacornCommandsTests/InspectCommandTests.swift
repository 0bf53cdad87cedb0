import AacornCodec
import AacornContainers
import AacornRecording
import AacornSignal
import AacornSoundFiles
import AacornSystem
import Testing

@testable import AacornCommands

@Suite struct InspectCommandTests {
  private let folder = TemporaryFolder()
  private let captured = CapturedConsole()

  private func encode(_ name: String) -> String {
    let path = folder.path(name)
    CapturedConsole(running: ["encode", "--tone", "1", "-o", path])
    return path
  }

  @Test(arguments: [CodedFileWriter.Format.m4a, .adts(), .latm])
  func timesAreThoseOfTheSoundThatADecoderPutsOut(format: CodedFileWriter.Format) throws {
    let file = try ReplicatedFile(format, channels: 2, seconds: 5)
    let path = try folder.write(file.bytes, to: "a")
    captured.aacorn("inspect", "--json", path)
    // Only M4A states the samples to trim. ADTS does not signal band replication.
    let all = file.unitCount * file.timing.samplesPerUnit
    let seconds = file.timing.seconds(format == .m4a ? file.sampleCount : all)
    let field = #""duration":"# + QuantityText.fixed(seconds, decimals: 6)
    captured.expectOutput(field)
    let isSignaled = format == .m4a || format == .latm
    #expect(captured.output.contains(#""sampleRate":48000"#) == isSignaled)
  }

  @Test func garbageBetweenFramesIsReportedWithOffset() throws {
    _ = encode("a.aac")
    let bytes = try folder.read("a.aac")
    let first = Int(bytes[3] & 3) << 11 | Int(bytes[4]) << 3 | Int(bytes[5]) >> 5
    let damaged = bytes[..<first] + [UInt8](repeating: 0, count: 25) + bytes[first...]
    let path = try folder.write(Array(damaged), to: "b.aac")
    captured.aacorn("inspect", path, status: .failed)
    captured.expectOutput("error at 0:00.0 (byte \(first), 25 bytes, frame 1): ")
    captured.expectOutput("1 error, 0 warnings")
    let json = CapturedConsole(running: ["inspect", "--json", path], status: .failed)
    json.expectOutput("\"offset\":\(first),\"length\":25,\"frame\":1,")
  }

  @Test func coverIsShownWithItsSize() throws {
    let input = try folder.write(wavFile(frames: 3000), to: "a.wav")
    // A PNG image of 640 by 480 pixels without its other chunks.
    let header: [UInt8] = [0x89, 0x50, 0x4E, 0x47, 0x0D, 0x0A, 0x1A, 0x0A, 0, 0, 0, 13]
    let cover = header + Array("IHDR".utf8) + [0, 0, 2, 128, 0, 0, 1, 224, 8, 2, 0, 0, 0]
    captured.aacorn("encode", input, "--cover", try folder.write(cover, to: "c.png"))
    captured.aacorn("inspect", folder.path("a.m4a"), output: "PNG, 640 × 480 pixels, 29 B")
    captured.aacorn("inspect", "--json", folder.path("a.m4a"))
    captured.expectOutput(#""cover":{"format":"png","bytes":29,"width":640,"height":480,"offset":"#)
  }

  @Test func transportStreamWithoutAACHasSpecificError() throws {
    let path = try folder.write(transportStream, to: "a.ts")
    captured.aacorn("inspect", path, status: .failed, output: "no program has an AAC stream")
    captured.aacorn("inspect", "--json", path, status: .failed)
    captured.expectOutput(#""container":"MPEG transport stream""#)
  }

  @Test(arguments: EncodeCommandTests.foreign + EncodeCommandTests.decodable)
  func otherFormatsAreIdentified(bytes: [UInt8], phrase: String) throws {
    let path = try folder.write(bytes, to: "a")
    captured.aacorn("inspect", path, status: .failed)
    let name = phrase.replacing(" “aacorn encode” reads WAV, AIFF, CAF, ", with: " ")
    captured.expectErrors("a” " + name, "reads AAC in ADTS, LATM, ADIF, MP4 (M4A) and MPEG ")
    #expect(captured.errors.split(separator: "\n").count == 1 && captured.output.isEmpty)
    captured.aacorn("inspect", "--json", path, status: .failed)
    captured.expectOutput(#""status":"error","error":"unsupported","#)
  }

  /// A tag of any kind and length must not hide the stream after it.
  @Test(arguments: [100, 5000])
  func streamAfterTagIsRead(tagByteCount: Int) throws {
    _ = encode("a.aac")
    let stream = try folder.read("a.aac")
    let path = try folder.write(tag(byteCount: tagByteCount) + stream, to: "b.aac")
    captured.aacorn("inspect", path, output: "Container    ADTS")
  }

  // MARK: - Audio

  @Test func concealedFrameIsReportedWithTime() throws {
    let signal = try CodedSignal(rate: 48_000)
    var writer = try ADTSWriter(configuration: signal.stream)
    var bytes: [UInt8] = []
    for (index, var unit) in signal.units.enumerated() {
      if index == 20 { unit.bytes = [0x20, 0xFF, 0xFF, 0xFF, 0xFF] }
      try writer.append(unit, to: &bytes)
    }
    let path = try folder.write(bytes, to: "a.aac")
    captured.aacorn("inspect", "--sound", path, status: .failed)
    captured.expectOutput("samples); 1 frame concealed, at 0:00.4")
    let json = CapturedConsole(running: ["inspect", "--sound", "--json", path], status: .failed)
    json.expectOutput(#""concealedFrames":1,"concealed":[0.426667]}"#)
  }

  /// A movie whose frames have an object type that cannot be decoded.
  private func opaqueMovie() throws -> String {
    let stream = AudioSpecificConfig(
      objectType: AudioObjectType(rawValue: 39), sampleRate: 48_000, channelConfiguration: 1)
    var writer = try MP4Writer(
      configuration: MP4Writer.Configuration(stream: stream, layout: .moovAtEnd))
    var file = writer.start()
    for _ in 0..<10 {
      try writer.append(AccessUnit(bytes: [UInt8](repeating: 0x5A, count: 100)), to: &file)
    }
    let trim = StreamTrim(priming: 0, remainder: 0, sampleCount: 10 * 512)
    for write in try writer.finish(trim) { write.apply(to: &file) }
    return try folder.write(file, to: "eld.m4a")
  }

  @Test func unsupportedObjectTypeIsDescribedConsistently() throws {
    let path = try opaqueMovie()
    let words = "frames of object type 39 (ELD), which are not supported"
    captured.aacorn("inspect", path)
    #expect(captured.output.contains(words + "; the container"))
    let decode = CapturedConsole(
      running: ["decode", path, "-o", folder.path("a.wav")], status: .failed)
    decode.expectErrors("eld.m4a” contains " + words)
    let sound = CapturedConsole(running: ["inspect", "--sound", path], status: .failed)
    sound.expectOutput("Decoded      no: “", "eld.m4a” contains " + words + ".\n")
    let json = CapturedConsole(running: ["inspect", "--sound", "--json", path], status: .failed)
    json.expectOutput(#""sound":{"error":""#)
  }

  @Test func plotOptionWritesSVG() throws {
    let path = encode("a.m4a")
    let plot = folder.path("a.svg")
    captured.aacorn("inspect", "--plot", plot, path)
    let svg = try folder.text("a.svg")
    #expect(svg.hasPrefix("<svg xmlns="))
    #expect(svg.hasSuffix("</svg>\n"))
    #expect(svg.contains("kb/s</text>"))
  }

  /// A recording of one second with a gap of 480 samples.
  private func record() throws -> String {
    let signal = try CodedSignal(rate: 48_000)
    var configuration = MP4RecordingWriter.Configuration(stream: signal.stream)
    configuration.timing.priming = signal.trim.priming
    configuration.started = "2026-11-20T10:00:00.123Z"
    var writer = try MP4RecordingWriter(configuration: configuration)
    var file = writer.start()
    for unit in signal.units { try writer.append(unit, to: &file) }
    try writer.append(gap: Array(Self.gap.utf8), to: &file)
    for write in try writer.finish(signal.trim) { write.apply(to: &file) }
    return try folder.write(file, to: "r.m4a")
  }

  private static let gap =
    #"{"position":26400,"length":480,"cause":"overrun","filled":true,"time":"2026-11-20T10:00:00.673Z"}"#

  @Test func gapsOfARecordingAreShown() throws {
    let path = try record()
    captured.aacorn("inspect", path, output: "Started      2026-11-20T10:00:00.123Z")
    captured.expectOutput("Gaps         1 gap, 480 samples (0.010 s)")
    captured.expectOutput(
      "    at 0:00.550, 480 samples, overrun, filled with silence, 2026-11-20T10:00:00.673Z")
    let json = CapturedConsole(running: ["inspect", "--json", path])
    json.expectOutput(#""started":"2026-11-20T10:00:00.123Z","gaps":[\#(Self.gap)],"#)
  }

  /// A pause omits audio on purpose, so it is not a gap; the studio counts in the same way.
  @Test func pausesAreCountedSeparatelyFromGaps() throws {
    let path = encode("s.aac")
    func note(_ cause: String) -> String {
      Self.gap.replacing("overrun", with: cause).replacing("true", with: "false")
    }
    for (notes, text) in [
      ([Self.gap, note("paused")], "1 gap, 480 samples (0.011 s); 1 pause\n"),
      ([note("paused"), note("paused")], "none; 2 pauses\n"),
      ([note("surplus"), Self.gap], "1 gap, 480 samples (0.011 s); 1 other record\n"),
    ] {
      try folder.write("[\(notes.joined(separator: ","))]", to: "s.aac.gaps.json")
      let people = CapturedConsole(running: ["inspect", path])
      people.expectOutput("Gaps         " + text)
    }
  }

  @Test func gapsBesideAStreamAreShown() throws {
    let path = encode("s.aac")
    captured.aacorn("inspect", "--json", path, output: #""started":null,"gaps":[],"#)
    let text = "[\n\(Self.gap),\n{\"length\": -1, \"x\": [1, 2.5, null]},\n\u{1B}31m]\n"
    try folder.write(text, to: "s.aac.gaps.json")
    let json = CapturedConsole(running: ["inspect", "--json", path])
    json.expectOutput(#""gaps":[\#(Self.gap),{"length":-1,"x":[1,2.500000,null]},"\u001b31m"],"#)
    let people = CapturedConsole(running: ["inspect", path])
    people.expectOutput("Gaps         3 gaps, 480 samples (0.011 s)")
    people.expectOutput("    a record without a position")
    #expect(!people.output.contains("\u{1B}"))
  }

  @Test func axesHaveRoundSteps() {
    #expect(BitrateChart.step(for: 128, parts: 6) == 50)
    #expect(BitrateChart.step(for: 6, parts: 6) == 1)
    #expect(BitrateChart.step(for: 0.9, parts: 8) == 0.2)
    let chart = BitrateChart(secondsPerValue: 1, values: [1e5, 2e5], mean: 1.5e5, title: "<&>")
    #expect(chart.svg.contains("&lt;&amp;&gt;"))
    #expect(chart.svg.contains("mean 150.0 kb/s"))
    let empty = BitrateChart(secondsPerValue: 1, values: [], mean: 0, title: "")
    #expect(empty.svg.hasSuffix("</svg>\n"))
  }
}
