import AacornCodec
import AacornContainers
import AacornRecording
import AacornSignal
import AacornSystem
import Testing

@testable import AacornCommands

@Suite struct InspectCommandTests {
  private let folder = TemporaryFolder()
  private let captured = CapturedConsole()

  private func encode(_ name: String) -> String {
    let path = folder.path(name)
    #expect(CapturedConsole().run(["encode", "--tone", "1", "-o", path]) == .success)
    return path
  }

  @Test(arguments: ["a.m4a", "a.aac", "a.latm"])
  func encodedFilesHaveNoFaults(name: String) {
    let path = encode(name)
    #expect(captured.run(["inspect", path]) == .success)
    #expect(captured.output.contains("44.1 kHz, stereo"))
    #expect(captured.output.contains("Faults       none"))
    if name == "a.m4a" { #expect(captured.output.contains("44100 samples")) }
  }

  @Test(arguments: [CodedFileWriter.Format.m4a, .adts(), .latm])
  func timesAreThoseOfTheSoundThatADecoderPutsOut(format: CodedFileWriter.Format) throws {
    var encoder = try AACEncoder(.init(sampleRate: 24_000, channelCount: 2))
    encoder.encode(interleaved: [Float](repeating: 0, count: 2 * 24_000 * 5).span)
    _ = encoder.finish()
    var stream = encoder.audioSpecificConfig
    stream.extensionSampleRate = 48_000
    stream.signaling = .backwardCompatible
    let timing = StreamTiming(stream, priming: 3010)
    var writer = try CodedFileWriter(CodedFileWriter.Configuration(format, stream: stream))
    var bytes: [UInt8] = []
    var count = 0
    while var unit = encoder.nextAccessUnit() {
      unit.samplePosition = count * timing.samplesPerUnit - timing.priming
      try writer.append(unit, to: &bytes)
      count += 1
    }
    let sampleCount = count * timing.samplesPerUnit - timing.priming - 1000
    if var finish = try writer.finish(timing.trim(of: sampleCount), to: &bytes) {
      while let write = finish.next() { write.apply(to: &bytes) }
    }
    let path = try folder.write(bytes, to: "a")
    #expect(captured.run(["inspect", "--json", path]) == .success)
    // Only M4A states the samples to trim. ADTS does not signal band replication.
    let seconds = timing.seconds(format == .m4a ? sampleCount : count * timing.samplesPerUnit)
    let field = "\"duration\":" + QuantityText.fixed(seconds, decimals: 6)
    #expect(captured.output.contains(field), "\(field): \(captured.output)")
    let isSignaled = format == .m4a || format == .latm
    #expect(captured.output.contains("\"sampleRate\":48000") == isSignaled)
  }

  @Test func framesAreListedOnePerLine() {
    let path = encode("a.aac")
    #expect(captured.run(["inspect", "--frames", path]) == .success)
    let lines = captured.output.split(separator: "\n")
    #expect(lines[0].contains("Num|   Profile| Frequency| Channel|  Size|"))
    #expect(lines[1].contains("0|        LC|     44100|       2|"))
    #expect(lines[2].contains("|      0.023|"))
    #expect(lines.count > 45)
  }

  @Test func jsonHasAnObjectForEveryFrameAndOneForTheFile() {
    let path = encode("a.aac")
    #expect(captured.run(["inspect", "--json", "--frames", path]) == .success)
    let lines = captured.output.split(separator: "\n")
    #expect(lines[0].hasPrefix("{\"type\":\"frame\",\"number\":0,"))
    #expect(lines.last?.hasPrefix("{\"type\":\"report\",") == true)
    #expect(lines.last?.contains("\"frames\":\(lines.count - 1),") == true)
    #expect(lines.last?.hasSuffix("\"faults\":[]}") == true)
  }

  @Test func garbageBetweenFramesIsReportedWithOffset() throws {
    _ = encode("a.aac")
    let bytes = try folder.read("a.aac")
    let first = Int(bytes[3] & 3) << 11 | Int(bytes[4]) << 3 | Int(bytes[5]) >> 5
    let damaged = bytes[..<first] + [UInt8](repeating: 0, count: 25) + bytes[first...]
    let path = try folder.write(Array(damaged), to: "b.aac")
    #expect(captured.run(["inspect", path]) == .failed)
    #expect(captured.output.contains("error at 0:00.0 (byte \(first), 25 bytes, frame 1): "))
    #expect(captured.output.contains("1 error, 0 warnings"))
  }

  @Test func nonAACFileIsReported() throws {
    let path = try folder.write("hello, world", to: "x.txt")
    #expect(captured.run(["inspect", path]) == .failed)
    #expect(captured.output.contains("This is not AAC"))
    #expect(captured.run(["inspect", folder.path("none")]) == .cannotRead)
    #expect(captured.run(["inspect"]) == .usage)
  }

  @Test func transportStreamWithoutAACHasSpecificError() throws {
    let path = try folder.write(transportStream, to: "a.ts")
    #expect(captured.run(["inspect", path]) == .failed)
    #expect(captured.output.contains("no program has an AAC stream"))
    #expect(captured.run(["inspect", "--json", path]) == .failed)
    #expect(captured.output.contains(#""container":"MPEG transport stream""#))
  }

  @Test(arguments: EncodeCommandTests.foreign + EncodeCommandTests.decodable)
  func otherFormatsAreIdentified(bytes: [UInt8], phrase: String) throws {
    let path = try folder.write(bytes, to: "a")
    #expect(captured.run(["inspect", path]) == .failed)
    let name = phrase.replacing(" “aacorn encode” reads WAV, AIFF, CAF, ", with: " ")
    #expect(captured.errors.contains("a” " + name), "\(captured.errors)")
    #expect(captured.errors.contains("reads AAC in ADTS, LATM, ADIF, MP4 (M4A) and MPEG "))
    #expect(captured.errors.split(separator: "\n").count == 1 && captured.output.isEmpty)
    #expect(captured.run(["inspect", "--json", path]) == .failed)
    #expect(captured.output.contains(#""status":"error","error":"unsupported","#))
  }

  @Test func aFileOfSamplesIsNamedAndLeftToEncode() throws {
    let path = try folder.write(wavFile(frames: 2000, channels: 1, rate: 48_000), to: "a.wav")
    #expect(captured.run(["inspect", path]) == .failed)
    #expect(
      captured.errors.contains(
        "is a WAV file with PCM audio (48 kHz, 1 channel) and without AAC. "
          + "“aacorn encode” reads it."))
  }

  /// A tag of any kind and length must not hide the stream after it.
  @Test(arguments: [100, 5000])
  func streamAfterTagIsRead(tagByteCount: Int) throws {
    _ = encode("a.aac")
    let stream = try folder.read("a.aac")
    let path = try folder.write(tag(byteCount: tagByteCount) + stream, to: "b.aac")
    #expect(captured.run(["inspect", path]) == .success)
    #expect(captured.output.contains("Container    ADTS"))
  }

  // MARK: - Audio

  @Test(arguments: ["a.m4a", "a.aac", "a.latm"])
  func soundOptionReportsLoudness(name: String) {
    let path = encode(name)
    #expect(captured.run(["inspect", path]) == .success)
    #expect(!captured.output.contains("Loudness") && !captured.output.contains("Decoded"))
    let people = CapturedConsole(running: ["inspect", "--sound", path])
    #expect(people.output.contains("samples); no frames concealed\n"))
    #expect(people.output.contains(" LUFS; at most ") && people.output.contains(" dBTP"))
    #expect(people.output.contains("Faults       none"))
    if name == "a.m4a" {
      #expect(people.output.contains("Decoded      0:01.0 (44100 samples); no frames concealed"))
    }
  }

  @Test func jsonHasTheSoundOrNull() {
    let path = encode("a.m4a")
    #expect(captured.run(["inspect", "--json", path]) == .success)
    #expect(captured.output.contains(#""sound":null,"started":"#))
    let json = CapturedConsole(running: ["inspect", "--sound", "--json", path])
    #expect(json.output.contains(#""sound":{"sampleRate":44100,"channels":2,"formatChanges":0,"#))
    #expect(json.output.contains(#""samples":44100,"duration":1.000000,"loudness":-"#))
    #expect(json.output.contains(#""concealedFrames":0,"concealed":[]},"started":"#))
  }

  @Test func concealedFrameIsReportedWithTime() throws {
    var encoder = try AACEncoder(.init(sampleRate: 48_000, channelCount: 1))
    encoder.encode(interleaved: [Float](repeating: 0.1, count: 48_000).span)
    _ = encoder.finish()
    var writer = try ADTSWriter(configuration: encoder.audioSpecificConfig)
    var bytes: [UInt8] = []
    var index = 0
    while var unit = encoder.nextAccessUnit() {
      if index == 20 { unit.bytes = [0x20, 0xFF, 0xFF, 0xFF, 0xFF] }
      try writer.append(unit, to: &bytes)
      index += 1
    }
    let path = try folder.write(bytes, to: "a.aac")
    #expect(captured.run(["inspect", "--sound", path]) == .failed)
    #expect(captured.output.contains("samples); 1 frame concealed, at 0:00.4"))
    let json = CapturedConsole(running: ["inspect", "--sound", "--json", path], status: .failed)
    #expect(json.output.contains(#""concealedFrames":1,"concealed":[0.426667]}"#))
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
    #expect(captured.run(["inspect", path]) == .success)
    #expect(captured.output.contains(words + "; the container"))
    let decode = CapturedConsole(
      running: ["decode", path, "-o", folder.path("a.wav")], status: .failed)
    #expect(decode.errors.contains("eld.m4a” contains " + words))
    let sound = CapturedConsole(running: ["inspect", "--sound", path], status: .failed)
    #expect(sound.output.contains("Decoded      no: “"))
    #expect(sound.output.contains("eld.m4a” contains " + words + ".\n"))
    let json = CapturedConsole(running: ["inspect", "--sound", "--json", path], status: .failed)
    #expect(json.output.contains(#""sound":{"error":""#))
  }

  @Test func plotIsSVGAndKeepsExistingFile() throws {
    let path = encode("a.m4a")
    let plot = folder.path("a.svg")
    #expect(captured.run(["inspect", "--plot", plot, path]) == .success)
    let svg = folder.text("a.svg")
    #expect(svg.hasPrefix("<svg xmlns="))
    #expect(svg.hasSuffix("</svg>\n"))
    #expect(svg.contains("kb/s</text>"))
    #expect(captured.run(["inspect", "--plot", plot, path]) == .cannotWrite)
    #expect(captured.run(["inspect", "--plot", plot, "--force", path]) == .success)
    #expect(captured.run(["inspect", "--plot", plot, path, path]) == .usage)
  }

  /// A recording of one second with a gap of 480 samples.
  private func record() throws -> String {
    var encoder = try AACEncoder(.init(sampleRate: 48_000, channelCount: 1))
    encoder.encode(interleaved: [Float](repeating: 0.1, count: 48_000).span)
    let trim = encoder.finish()
    var configuration = MP4RecordingWriter.Configuration(stream: encoder.audioSpecificConfig)
    configuration.timing.priming = trim.priming
    configuration.started = "2026-11-20T10:00:00.123Z"
    var writer = try MP4RecordingWriter(configuration: configuration)
    var file = writer.start()
    while let unit = encoder.nextAccessUnit() { try writer.append(unit, to: &file) }
    try writer.append(gap: Array(Self.gap.utf8), to: &file)
    for write in try writer.finish(trim) { write.apply(to: &file) }
    return try folder.write(file, to: "r.m4a")
  }

  private static let gap =
    #"{"position":26400,"length":480,"cause":"overrun","filled":true,"time":"2026-11-20T10:00:00.673Z"}"#

  @Test func gapsOfARecordingAreShown() throws {
    let path = try record()
    #expect(captured.run(["inspect", path]) == .success)
    #expect(captured.output.contains("Started      2026-11-20T10:00:00.123Z"))
    #expect(captured.output.contains("Gaps         1 gap, 480 samples (0.010 s)"))
    #expect(
      captured.output.contains(
        "    at 0:00.550, 480 samples, overrun, filled with silence, 2026-11-20T10:00:00.673Z"))
    let json = CapturedConsole(running: ["inspect", "--json", path])
    #expect(json.output.contains(#""started":"2026-11-20T10:00:00.123Z","gaps":[\#(Self.gap)],"#))
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
      #expect(people.output.contains("Gaps         " + text), "\(people.output)")
    }
  }

  @Test func gapsBesideAStreamAreShown() throws {
    let path = encode("s.aac")
    #expect(captured.run(["inspect", "--json", path]) == .success)
    #expect(captured.output.contains(#""started":null,"gaps":[],"#))
    let text = "[\n\(Self.gap),\n{\"length\": -1, \"x\": [1, 2.5, null]},\n\u{1B}31m]\n"
    try folder.write(text, to: "s.aac.gaps.json")
    let json = CapturedConsole(running: ["inspect", "--json", path])
    #expect(
      json.output.contains(
        #""gaps":[\#(Self.gap),{"length":-1,"x":[1,2.500000,null]},"\u001b31m"],"#))
    let people = CapturedConsole(running: ["inspect", path])
    #expect(people.output.contains("Gaps         3 gaps, 480 samples (0.011 s)"))
    #expect(people.output.contains("    a record without a position"))
    #expect(!people.output.contains("\u{1B}"))
  }

  static let texts: [(String, String)] = [
    ("[]", "[]"), (" { } ", "{}"), ("[1,-2 , 3e2,0.5]", "[1,-2,300.000000,0.500000]"),
    (#"{"a":"\u00e4\ud83c\udfb5\ud83c\"\\\/\n"}"#, #"{"a":"ä🎵�\"\\/\n"}"#),
    ("[true,false,null]", "[true,false,null]"), ("99999999999999999999", "null"),
  ]

  @Test(arguments: texts)
  func jsonIsRead(text: String, encoded: String) {
    #expect(JSONReader.value(Array(text.utf8)[...])?.encoded == encoded)
  }

  static let wrongTexts: [String] = [
    "", "[", "[1", "[1,]", "{\"a\"}", "{\"a\":}", "{a:1}", "\"", "\"\\", "\"\\u12", "\"\\u+123\"",
    "tru",
    "+1", ".5", "inf", "nan", "0x10", "1 2", "[1}", "\"\u{1}\"", "-",
    String(repeating: "[", count: 17) + String(repeating: "]", count: 17),
  ]

  @Test(arguments: wrongTexts)
  func invalidJSONIsRejected(text: String) {
    #expect(JSONReader.value(Array(text.utf8)[...]) == nil)
  }

  @Test(arguments: ["[", "{\"a\":"])
  func deepNestingDoesNotCrash(text: String) {
    let deep = Array(String(repeating: text, count: 100_000).utf8)
    #expect(JSONReader.value(deep[...]) == nil)
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
