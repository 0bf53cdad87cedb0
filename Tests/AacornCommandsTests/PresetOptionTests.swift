import AacornCodec
import AacornRecording
import AacornSystem
import Testing

@testable import AacornCommands

/// The option `--preset` of all commands that encode.
@Suite struct PresetOptionTests {
  private let folder = TemporaryFolder()
  private let captured = CapturedConsole()

  private func encode(_ arguments: [String]) throws -> AACFile.Configuration {
    try EncodeCommand().parsing(arguments).options
  }

  @Test func everyPresetHasUniqueKeyword() {
    let all = AACEncoder.Preset.allCases
    #expect(Set(all.map(\.keyword)).count == all.count)
    for preset in all { #expect(AACEncoder.Preset(keyword: preset.keyword) == preset) }
    #expect(AACEncoder.Preset(keyword: "Music") == nil && AACEncoder.Preset(keyword: "") == nil)
  }

  @Test(arguments: AACEncoder.Preset.allCases)
  func encodingUsesPresetSettings(preset: AACEncoder.Preset) throws {
    // No preset has this sample rate, and some have another channel count.
    let input = try folder.write(wavFile(frames: 50_000, channels: 1), to: "a.wav")
    captured.aacorn("encode", "--json", "--preset", preset.keyword, input)
    let settings = preset.configuration
    captured.expectOutput(
      "\"profile\":\"\(settings.profile.keyword)\"", "\"sampleRate\":\(settings.sampleRate)",
      "\"channels\":\(settings.channelCount)")
  }

  @Test(arguments: AACEncoder.Preset.allCases)
  func recordingsAndStreamsBeginWithIt(preset: AACEncoder.Preset) throws {
    let settings = preset.configuration
    let coding = RecordingConfiguration.Coding.aac(
      rateControl: settings.rateControl, effort: .balanced, profile: settings.profile)
    for configuration in [
      try LivePlan.recording(["a.m4a", "--preset", preset.keyword]).configuration,
      try LivePlan(["--save", "a.m4a", "--preset", preset.keyword]).configuration,
    ] {
      #expect(configuration.coding == coding)
      #expect(configuration.sampleRate == settings.sampleRate)
      #expect(configuration.channelCount == settings.channelCount)
    }
    // The user has chosen the preset, so the plan contains no warning.
    let plan = try LivePlan.recording(["a.m4a", "--preset", preset.keyword])
    #expect(plan.sound.encoding.sampleRate != nil && plan.sound.encoding.channelCount != nil)
  }

  @Test func otherOptionsOverrideItWhereverTheyStand() throws {
    let preset = ["--preset", "radio"]
    let others = ["-b", "80k", "--profile", "lc", "-c", "1", "-r", "44100", "--effort", "best"]
    for arguments in [preset + others, others + preset] {
      let options = try encode(arguments)
      #expect(options.rateControl == .constant(bitsPerSecond: 80_000))
      #expect(options.profile == .lowComplexity)
      #expect(options.channelCount == 1 && options.sampleRate == 44_100)
      #expect(options.effort == .best)
      for configuration in [
        try LivePlan.recording(["a.m4a"] + arguments).configuration,
        try LivePlan(["--save", "a.m4a"] + arguments).configuration,
      ] {
        #expect(
          configuration.coding
            == .aac(rateControl: .constant(bitsPerSecond: 80_000), effort: .best))
        #expect(configuration.channelCount == 1 && configuration.sampleRate == 44_100)
      }
    }
  }

  @Test func oneOptionOverridesOneSetting() throws {
    let variable = try encode(["--preset", "music", "--vbr", "3"])
    #expect(variable.rateControl == .variable(level: 3))
    #expect(variable.sampleRate == 48_000 && variable.channelCount == 2)
    let average = try LivePlan.recording(["a.m4a", "--abr", "20k", "--preset", "small-speech"])
      .configuration
    #expect(
      average.coding
        == .aac(
          rateControl: .average(bitsPerSecond: 20_000), effort: .balanced,
          profile: .highEfficiency))
    #expect(average.channelCount == 1)
    // Two device channels are mixed to the single channel of the preset.
    let mapped = try LivePlan.recording(["a.m4a", "--channel-map", "3,4", "--preset", "speech"])
      .configuration
    #expect(mapped.channelMap == [2, 3] && mapped.channelCount == 1)
    // With `--profile auto` the bitrate selects the profile.
    #expect(try encode(["--preset", "radio", "--profile", "auto"]).profile == nil)
    let automatic = try LivePlan.recording([
      "a.m4a", "--preset", "music", "--profile", "auto", "-b", "48k",
    ])
    #expect(automatic.configuration.coding.profile == .highEfficiency)
    // The last preset counts, and the previous one has no effect.
    #expect(try encode(["--preset", "radio", "--preset", "music"]).profile == .lowComplexity)
    let plain = try encode([])
    #expect(plain.rateControl == nil && plain.profile == .lowComplexity)
    #expect(plain.sampleRate == nil && plain.channelCount == nil && plain.effort == .balanced)
  }

  @Test func renditionsShareAllButTheBitrate() throws {
    let configuration = try LivePlan([
      "--hls", folder.path, "--preset", "radio", "--bitrates", "64k,32k",
    ]).configuration
    let expected = [64_000, 32_000].map { bitrate in
      RecordingConfiguration.Coding.aac(
        rateControl: .constant(bitsPerSecond: bitrate), effort: .balanced,
        profile: .highEfficiency)
    }
    #expect(configuration.codings == expected)
    #expect(configuration.sampleRate == 48_000 && configuration.channelCount == 2)
  }

  @Test(arguments: ["encode", "record", "stream"])
  func anUnknownNameListsAllOfThem(command: String) {
    captured.aacorn(command, "--preset", "telephone", status: .usage)
    captured.expectErrors("does not accept “telephone”. For a voice: small-speech (HE-")
    for preset in AACEncoder.Preset.allCases {
      captured.expectErrors("\(preset.keyword) (")
    }
    for group in AACEncoder.Preset.meanings { captured.expectErrors(" " + group) }
    // A likely typing error is reported first.
    let other = CapturedConsole(running: [command, "--preset", "musik"], status: .usage)
    other.expectErrors("Did you mean music? For a voice: small-speech (HE-")
    // The help has the same text, with each group on separate lines.
    let help = CapturedConsole(running: ["help", command])
    help.expectOutput("--preset NAME")
    let words = help.output.split { $0 == " " || $0 == "\n" }.joined(separator: " ")
    #expect(words.contains(AACEncoder.Preset.meanings.joined(separator: " ")))
    let indent = "\n" + String(repeating: " ", count: 27)
    for group in ["a voice: small-speech (", "a station: small-radio (", "music: music ("] {
      help.expectOutput(indent + "For " + group)
    }
  }

  @Test func presetsAreGroupedByWhatTheyAreFor() {
    #expect(
      AACEncoder.Preset.meanings == [
        "For a voice: small-speech (HE-AAC, mono, 24 kb/s), speech (AAC-LC, mono, 24 kHz, "
          + "32 kb/s), fine-speech (AAC-LC, mono, 64 kb/s).",
        "For a station: small-radio (HE-AAC v2, stereo, 32 kb/s), radio (HE-AAC, stereo, 48 kb/s).",
        "For music: music (AAC-LC, stereo, 96 kb/s), fine-music (AAC-LC, stereo, 128 kb/s).",
      ])
  }
}
