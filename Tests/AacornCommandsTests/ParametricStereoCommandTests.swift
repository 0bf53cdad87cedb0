import AacornCodec
import AacornContainers
import AacornRecording
import AacornSignal
import AacornSystem
import Testing

@testable import AacornCommands

/// The value `he2` of the option `--profile`, and reports about HE-AAC v2 files.
@Suite struct ParametricStereoCommandTests {
  private let folder = TemporaryFolder()
  private let captured = CapturedConsole()

  @Test(arguments: ["m4a", "latm", "aac"])
  func inspectorIdentifiesHEAACv2(suffix: String) throws {
    let input = try folder.write(wavFile(frames: 100_001, rate: 48_000), to: "a.wav")
    let output = folder.path("a." + suffix)
    let status = captured.run(
      ["encode", "--json", "--profile", "he2", "-b", "32k", input, "-o", output])
    #expect(status == .success, "\(captured.errors)")
    for field in [
      "\"profile\":\"he2\"", "\"sampleRate\":48000", "\"channels\":2", "\"samples\":100001",
    ] {
      #expect(captured.output.contains(field), "\(field): \(captured.output)")
    }
    let inspection = CapturedConsole(running: ["inspect", "--json", output])
    #expect(inspection.output.contains("\"coreSampleRate\":24000"))
    #expect(inspection.output.contains("\"errors\":0,\"warnings\":0"))
    // ADTS cannot state the profile.
    if suffix == "aac" { return }
    #expect(inspection.output.contains("\"profile\":\"HE-AAC v2\""))
    #expect(inspection.output.contains("\"sampleRate\":48000"))
    #expect(inspection.output.contains("\"channels\":2"))
  }

  @Test func theLineForPeopleNamesIt() throws {
    let input = try folder.write(wavFile(frames: 48_000, rate: 48_000), to: "a.wav")
    #expect(captured.run(["encode", "--profile", "he2", "-b", "32k", input]) == .success)
    #expect(captured.output.contains("a.m4a: HE-AAC v2, 0:01.0, "), "\(captured.output)")
  }

  /// For any encoder, the report states the channels of the output, not of the core.
  @Test(arguments: [CodedFileWriter.Format.m4a, .latm])
  func inspectorReportsOutputChannels(format: CodedFileWriter.Format) throws {
    var encoder = try AACEncoder(.init(sampleRate: 24_000, channelCount: 1))
    encoder.encode(interleaved: [Float](repeating: 0, count: 24_000).span)
    _ = encoder.finish()
    var stream = encoder.audioSpecificConfig
    stream.extensionSampleRate = 48_000
    stream.hasParametricStereo = true
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
    #expect(captured.run(["inspect", path]) == .success)
    #expect(captured.output.contains("AAC HE-AAC v2, MPEG-4"))
    #expect(captured.output.contains("48 kHz, stereo"))
    let json = CapturedConsole(running: ["inspect", "--json", path])
    #expect(json.output.contains("\"channels\":2"))
  }

  @Test(arguments: [
    (1, [String](), "not 1. Choose HE-AAC for mono."),
    (6, [String](), "not 6. Mix them with --channels 2."),
    (2, ["-c", "1"], "not 1. Choose HE-AAC for mono."),
  ])
  func nonStereoInputIsRejected(channels: Int, options: [String], words: String) throws {
    let input = try folder.write(
      wavFile(frames: 9000, channels: channels, rate: 48_000), to: "a.wav")
    #expect(captured.run(["encode", "--profile", "he2"] + options + [input]) == .failed)
    #expect(captured.errors.contains("HE-AAC v2 is for 2 channels, " + words), "\(captured.errors)")
    #expect(folder.names == ["a.wav"])
  }

  @Test(arguments: [(["--bandwidth", "12k"], "bandwidth"), (["--mpeg2"], "--mpeg2")])
  func optionsOfTheOtherProfileAreRefused(options: [String], word: String) throws {
    let input = try folder.write(wavFile(frames: 3000), to: "a.wav")
    #expect(captured.run(["encode", "--profile", "he2"] + options + [input]) == .usage)
    #expect(captured.errors.contains(word) && captured.errors.contains("HE-AAC v2"))
    #expect(folder.names == ["a.wav"])
  }

  @Test func aRateWithoutBandReplicationIsRefused() throws {
    let input = try folder.write(wavFile(frames: 9000, rate: 96_000), to: "a.wav")
    #expect(captured.run(["encode", "--profile", "he2", input]) == .failed)
    #expect(captured.errors.contains("HE-AAC v2 does not support a sampling rate of 96000 Hz"))
    #expect(captured.errors.contains("16000") && !captured.errors.contains("12000"))
  }

  // MARK: - Recording and streaming

  private func record(_ arguments: String...) throws -> RecordPlan {
    try RecordPlan(arguments)
  }

  private func stream(_ arguments: String...) throws -> StreamPlan {
    try StreamPlan(arguments)
  }

  @Test func aRecordingHasTheProfileThatWasChosen() throws {
    let plan = try record("a.m4a", "--profile", "he2", "-b", "32k").configuration
    #expect(
      plan.coding
        == .aac(
          rateControl: .constant(bitsPerSecond: 32_000), effort: .balanced,
          profile: .highEfficiencyV2))
    #expect(plan.channelCount == 2 && plan.timing.samplesPerUnit == 2048)
    #expect(captured.run(["record", "a.m4a", "--profile", "he2", "-c", "1"]) == .usage)
    #expect(captured.errors.contains("HE-AAC v2 is for 2 channels, not 1. Choose HE-AAC for mono."))
    #expect(captured.run(["record", "a.wav", "--profile", "he2"]) == .usage)
  }

  @Test func allRenditionsHaveTheProfileThatWasChosen() throws {
    let plan = try stream(
      "--hls", folder.path, "--profile", "he2", "--bitrates", "24k,32k"
    ).configuration
    let codings = [plan.coding] + plan.furtherCodings
    #expect(codings.count == 2 && codings.allSatisfy { $0.profile == .highEfficiencyV2 })
  }

  /// Each rendition has the profile for its bitrate.
  @Test(arguments: ["24k", "32k", "48k", "128k", "24k,48k", "48k,24k", "32k,48k,128k"])
  func renditionsHaveTheProfileThatSuitsThem(bitrates: String) throws {
    let plan = try stream(
      "--hls", folder.path, "--profile", "auto", "--bitrates", bitrates
    ).configuration
    let codings = [plan.coding] + plan.furtherCodings
    let suitable = codings.map { coding -> AACEncoder.Profile? in
      guard case .aac(let rateControl, _, _, _) = coding else { return nil }
      return .recommended(
        bitrate: rateControl.nominalBitrate, sampleRate: plan.sampleRate,
        channelCount: plan.channelCount)
    }
    #expect(codings.map(\.profile) == suitable)
  }

  @Test func theHelpNamesAllProfiles() {
    for command in ["encode", "record", "stream"] {
      let help = CapturedConsole(running: ["help", command])
      #expect(help.output.contains("lc|he|he2|auto"), "\(help.output)")
      let words = help.output.split(whereSeparator: \.isWhitespace).joined(separator: " ")
      #expect(words.contains("he2: HE-AAC v2, for stereo"))
    }
    #expect(captured.run(["encode", "--profile", "hev2", "a.wav"]) == .usage)
    #expect(captured.errors.contains("he2"))
  }
}
