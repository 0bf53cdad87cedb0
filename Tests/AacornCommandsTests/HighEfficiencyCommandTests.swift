import AacornCodec
import AacornRecording
import AacornStreaming
import AacornSystem
import Testing

@testable import AacornCommands

/// The option `--profile` of all commands that have it.
@Suite struct HighEfficiencyCommandTests {
  private let folder = TemporaryFolder()
  private let captured = CapturedConsole()

  @Test func theBytesDoNotDependOnTheNumberOfThreads() throws {
    // Two segments.
    let input = try folder.write(wavFile(frames: 1_100_000, channels: 1, rate: 48_000), to: "a.wav")
    for jobs in ["1", "4"] {
      captured.aacorn(
        "encode", "-j", jobs, "--profile", "he", "--effort", "fast", input, "-o",
        folder.path(jobs + ".m4a"))
    }
    #expect(try folder.read("1.m4a") == folder.read("4.m4a"))
  }

  // MARK: - Signaling

  @Test func plainSoundMayBeSignaledAutomatically() throws {
    let input = try folder.write(wavFile(frames: 3000), to: "a.wav")
    captured.aacorn("encode", "--signaling", "auto", input)
    let automatic = try folder.read("a.m4a")
    // The bitrate selected AAC-LC, which needs no signaling.
    let words = ["encode", "-f", "--profile", "auto", "-b", "128k", "--signaling", "implicit"]
    captured.aacorn(words + [input])
    #expect(try folder.read("a.m4a") == automatic)
  }

  @Test func recordingUsesRequestedSignaling() throws {
    for (word, signaling) in [
      ("auto", nil), ("implicit", .implicit), ("compatible", .backwardCompatible),
      ("hierarchical", .hierarchical),
    ] as [(String, AudioSpecificConfig.Signaling?)] {
      let plan = try LivePlan.recording("a.m4a", "--profile", "he", "--signaling", word)
      #expect(
        plan.configuration.coding
          == .aac(
            rateControl: .constant(bitsPerSecond: 64_000), effort: .balanced,
            profile: .highEfficiency, signaling: signaling))
    }
    _ = try LivePlan.recording("a.aac", "--profile", "he", "--signaling", "implicit")
    let automatic = try LivePlan.recording("a.m4a", "--profile", "auto", "--signaling", "implicit")
    #expect(
      automatic.configuration.coding
        == .aac(rateControl: .constant(bitsPerSecond: 128_000), effort: .balanced))
  }

  @Test(
    arguments: [
      "--icecast icecast://s:p@h:8000/a", "--hls x --hls-format aac",
      "--rtmp rtmp://h/a/b --save b.m4a --save a.aac",
    ] as [Words])
  func streamUsesSignalingOfAllOutputs(outputs: Words) throws {
    for word in ["implicit", "auto"] {
      _ = try LivePlan(["--profile", "he", "--signaling", word] + outputs.words)
    }
  }

  @Test func allRenditionsAreSignaledAlike() throws {
    let outputs = ["--rtmp", "rtmp://h/a/b", "--save", "b.m4a", "--hls", folder.path]
    func codings(_ more: String...) throws -> [RecordingConfiguration.Coding] {
      let plan = try LivePlan(outputs + ["--signaling", "hierarchical"] + more)
      return plan.configuration.codings
    }
    let low = try codings("--profile", "he", "--bitrates", "48k,32k")
    #expect(
      low == [
        .aac(
          rateControl: .constant(bitsPerSecond: 48_000), effort: .balanced,
          profile: .highEfficiency, signaling: .hierarchical),
        .aac(
          rateControl: .constant(bitsPerSecond: 32_000), effort: .balanced,
          profile: .highEfficiency, signaling: .hierarchical),
      ])
    let mixed = try codings("--profile", "auto", "--bitrates", "48k,128k")
    #expect(
      mixed == [
        .aac(
          rateControl: .constant(bitsPerSecond: 48_000), effort: .balanced,
          profile: .highEfficiency, signaling: .hierarchical),
        .aac(rateControl: .constant(bitsPerSecond: 128_000), effort: .balanced),
      ])
    #expect(throws: UsageError.self) { try codings("--bitrates", "48k,32k") }
  }

  // MARK: - Recording and streaming

  private func stream(_ arguments: String...) throws -> LivePlan { try LivePlan(arguments) }

  @Test func aRecordingHasTheProfileThatWasChosen() throws {
    for (words, bitrate, profile) in [
      (["--profile", "he"], 64_000, .highEfficiency),
      (["--profile", "he2", "-b", "32k"], 32_000, .highEfficiencyV2),
    ] as [([String], Int, AACEncoder.Profile)] {
      let configuration = try LivePlan.recording(["a.m4a"] + words).configuration
      #expect(
        configuration.coding
          == .aac(
            rateControl: .constant(bitsPerSecond: bitrate), effort: .balanced, profile: profile))
      #expect(configuration.channelCount == 2 && configuration.timing.samplesPerUnit == 2048)
    }
    let low = try LivePlan.recording("a.m4a", "--profile", "auto", "-b", "48k").configuration
    #expect(low.coding.profile == .highEfficiency)
    let high = try LivePlan.recording("a.m4a", "--profile", "auto").configuration
    #expect(high.coding.profile == .lowComplexity && high.timing.samplesPerUnit == 1024)
  }

  @Test func everyRenditionHasTheProfileThatSuitsItsBitrate() throws {
    func profiles(_ arguments: String...) throws -> [AACEncoder.Profile?] {
      let configuration = try LivePlan(["--hls", folder.path] + arguments).configuration
      return configuration.codings.map(\.profile)
    }
    #expect(
      try profiles("--profile", "auto", "--bitrates", "48k,128k")
        == [.highEfficiency, .lowComplexity])
    #expect(
      try profiles("--profile", "auto", "--bitrates", "128k,32k,24k")
        == [.lowComplexity, .highEfficiency, .highEfficiencyV2])
    #expect(
      try profiles("--bitrates", "128k,48k:he,64k") == [
        .lowComplexity, .highEfficiency, .lowComplexity,
      ])
    #expect(
      try profiles("--profile", "he", "--bitrates", "64k,96k:lc,40k:auto")
        == [.highEfficiency, .lowComplexity, .highEfficiency])
    #expect(
      try profiles("--profile", "he2", "--bitrates", "24k,32k")
        == [.highEfficiencyV2, .highEfficiencyV2])
  }

  @Test func aRenditionCanBeChosenForAKindOfOutput() throws {
    let both = try stream(
      "--hls", folder.path, "--icecast", "icecast://s:p@h:8000/a", "--save", "a.m4a", "--bitrates",
      "128k,48k:he", "--save-bitrate", "48k")
    #expect(both.rendition(for: .save) == 1 && both.timing(for: .save).samplesPerUnit == 2048)
    for kind in [OutputStatus.Kind.icecast, .hls] {
      #expect(both.rendition(for: kind) == 0 && both.timing(for: kind).samplesPerUnit == 1024)
    }
    // HLS is not required if every rendition has an output.
    let plain = try stream(
      "--icecast", "icecast://s:p@h:8000/a", "--rtmp", "rtmp://h/a/b", "--save", "a.m4a",
      "--bitrates", "48k:he,128000,64k", "--rtmp-bitrate", "64000", "--save-bitrate", "128k")
    #expect(plain.renditions == [.rtmp: 2, .save: 1])
    #expect(plain.timing(for: .icecast).samplesPerUnit == 2048)
    #expect(plain.timing(for: .rtmp).nominalBitrate == 64_000)
  }
}
