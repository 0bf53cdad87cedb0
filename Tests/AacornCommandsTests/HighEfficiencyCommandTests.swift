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

  @Test(arguments: ["m4a", "aac", "latm"])
  func inspectorIdentifiesHEAAC(suffix: String) throws {
    let input = try folder.write(wavFile(frames: 100_001, rate: 48_000), to: "a.wav")
    let output = folder.path("a." + suffix)
    captured.aacorn("encode", "--json", "--profile", "he", "-b", "48k", input, "-o", output)
    captured.expectOutput(#""profile":"he""#, #""sampleRate":48000"#, #""samples":100001"#)
    let inspection = CapturedConsole(running: ["inspect", "--json", output])
    var fields = [
      #""profile":"HE-AAC""#, #""sampleRate":48000"#, #""coreSampleRate":24000"#,
      #""channels":2"#, #""replicatedFrom":"#, #""errors":0,"warnings":0"#,
      #""replication":{"payloads":"#, #""unheaded":0,"damaged":0,"headerFrames":"#,
      #""headerDistance":8,"headerInterval":0.341333"#, #""parametricStereo":null"#,
    ]
    // Only M4A states the samples to trim.
    if suffix == "m4a" { fields += [#""samples":100001"#, #""priming":3010"#] }
    for field in fields {
      inspection.expectOutput(field)
    }
    #expect(!inspection.output.contains(#""replicatedFrom":null"#))
    let people = CapturedConsole(running: ["inspect", output])
    #expect(people.output.contains("SBR") && people.output.contains("AAC HE-AAC, MPEG-4"))
    let words = [
      "Replication  ", " kHz, headers at most 8 frames (341 ms) apart; ", " bits a frame, ",
      "Grids        ", " envelopes a frame",
    ]
    for word in words { people.expectOutput(word) }
    #expect(!people.output.contains("parametric"))
    #expect(people.output.contains("only in the payload") == (suffix == "aac"))
  }

  @Test(arguments: [
    ("he2", "32k", "HE-AAC v2, "), ("auto", "48k", "HE-AAC, "), ("auto", "96k", ""),
  ])
  func theSummaryNamesTheProfile(profile: String, bitrate: String, name: String) throws {
    let input = try folder.write(wavFile(frames: 50_000, rate: 48_000), to: "a.wav")
    captured.aacorn("encode", "--profile", profile, "-b", bitrate, input)
    captured.expectOutput("a.m4a: \(name)0:01.0, ")
  }

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

  @Test(arguments: [
    (["--bandwidth", "12k"], "bandwidth"), (["--mpeg2"], "--mpeg2"),
  ])
  func optionsOfTheOtherProfileAreRefused(options: [String], word: String) throws {
    let input = try folder.write(wavFile(frames: 3000), to: "a.wav")
    for (profile, name) in [("he", "HE-AAC"), ("he2", "HE-AAC v2")] {
      captured.aacorn(["encode", "--profile", profile] + options + [input], status: .usage)
      #expect(captured.errors.contains(word) && captured.errors.contains(name))
    }
    #expect(folder.names == ["a.wav"])
    // A profile chosen by the bitrate adapts to the other options.
    captured.aacorn(["encode", "--profile", "auto", "-b", "40k"] + options + [input])
  }

  @Test(arguments: [(96_000, "96000 Hz"), (8000, "8000 Hz")])
  func aRateWithoutBandReplicationIsRefused(rate: Int, words: String) throws {
    let input = try folder.write(wavFile(frames: 9000, rate: rate), to: "a.wav")
    for (profile, name) in [("he", "HE-AAC"), ("he2", "HE-AAC v2")] {
      captured.aacorn("encode", "--profile", profile, input, status: .failed)
      captured.expectErrors("\(name) does not support a sampling rate of " + words)
    }
    #expect(captured.errors.contains("16000") && !captured.errors.contains("12000"))
    #expect(folder.names == ["a.wav"])
    captured.aacorn("encode", "--profile", "he", "-r", "32k", input)
  }

  @Test func aBitrateThatIsTooHighIsRefused() throws {
    let input = try folder.write(wavFile(frames: 9000, rate: 48_000), to: "a.wav")
    #expect(captured.run(["encode", "--profile", "he", "-b", "192k", input]) != .success)
    captured.expectErrors("With HE-AAC, 48 kHz and 2 channels, choose from")
  }

  // MARK: - Signaling

  @Test(arguments: [
    (["a.m4a", "implicit"], false), (["a.m4a", "compatible"], true),
    (["a.m4a", "hierarchical"], true), (["a.m4a", "auto"], true), (["a.aac", "implicit"], false),
    (["a.aac", "auto"], false), (["a.latm", "implicit"], false),
    (["a.latm", "hierarchical"], true), (["a.latm", "auto"], true),
  ])
  func inspectorDetectsSignaling(words: [String], isSignaled: Bool) throws {
    let input = try folder.write(wavFile(frames: 50_001, rate: 48_000), to: "a.wav")
    let output = folder.path(words[0])
    captured.aacorn("encode", "--profile", "he", "--signaling", words[1], input, "-o", output)
    let inspection = CapturedConsole(running: ["inspect", output])
    inspection.expectOutput("AAC HE-AAC, MPEG-4", "48 kHz, stereo")
    #expect(inspection.output.contains("only in the payload") == !isSignaled)
    #expect(inspection.output.contains("50001 samples in ") == (words[0] == "a.m4a"))
  }

  static let onlyImplicitly = "ADTS can signal HE-AAC only implicitly."
  static let plain = "AAC-LC has no band replication to signal."

  @Test(
    arguments: [
      ("-o a.aac --profile he --signaling compatible", onlyImplicitly),
      ("-o a.aac --profile auto --signaling hierarchical", onlyImplicitly),
      ("--format aac --profile he --signaling compatible", onlyImplicitly),
      ("-o a.latm --profile he --signaling compatible", "but not backward-compatibly."),
      ("--signaling implicit", plain), ("--signaling compatible", plain),
      ("--profile lc --signaling hierarchical", plain),
      ("--profile he --signaling explicit", "--signaling"),
      ("--profile he --signaling Implicit", "--signaling"),
      (["--profile", "he", "--signaling", ""], "--signaling"),
    ] as [(Words, String)])
  func impossibleSignalingIsRejected(options: Words, words: String) throws {
    let input = try folder.write(wavFile(frames: 3000), to: "a.wav")
    captured.aacorn(["encode", input] + options.words, status: .usage, errors: words)
    #expect(folder.names == ["a.wav"])
  }

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
    for (words, message) in [
      (["a.aac", "--profile", "he", "--signaling", "compatible"], Self.onlyImplicitly),
      (["-o", "-", "--profile", "he", "--signaling", "hierarchical"], Self.onlyImplicitly),
      (["a.m4a", "--signaling", "compatible"], Self.plain),
      (
        ["a.wav", "--signaling", "implicit"], "--profile and --signaling are for AAC; WAV contains"
      ),
      (["a.m4a", "--profile", "he", "--signaling", "none"], "--signaling"),
    ] {
      let console = CapturedConsole(running: ["record"] + words, status: .usage)
      console.expectErrors(message)
    }
  }

  @Test(
    arguments: [
      ("--icecast icecast://s:p@h:8000/a", "--icecast means ADTS"),
      ("--hls x --hls-format aac", "--hls-format aac means ADTS"),
      ("--rtmp rtmp://h/a/b --save b.m4a --save a.aac", "--save a.aac means ADTS"),
    ] as [(Words, String)])
  func streamUsesSignalingOfAllOutputs(outputs: Words, words: String) throws {
    for word in ["compatible", "hierarchical"] {
      let console = CapturedConsole()
      let line = ["stream", "--profile", "he", "--signaling", word] + outputs.words
      console.aacorn(line, status: .usage)
      #expect(console.errors.contains(words + ", which can signal HE-AAC only implicitly."))
      console.expectErrors("Omit --signaling, or choose implicit.")
      #expect(!console.errors.contains("s:p@"))
    }
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
    for words in [
      ["a.wav", "--profile", "he"], ["a.m4a", "--profile", "he", "--rate", "96k"],
      ["a.m4a", "--profile", "he", "-b", "192k"], ["a.m4a", "--profile", "hev3"],
      ["a.wav", "--profile", "he2"], ["a.m4a", "--profile", "he2", "-c", "1"],
    ] {
      captured.aacorn(["record"] + words, status: .usage)
    }
    captured.expectErrors("HE-AAC does not support a sampling rate of 96000 Hz.")
    captured.expectErrors("HE-AAC v2 is for 2 channels, not 1. Choose HE-AAC for mono.")
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

  @Test(
    arguments: [
      ("--hls x --bitrates 64k:hev3", "“hev3”"), ("--hls x --bitrates 64k:", "profile"),
      ("--hls x --bitrates 64k:he,64k:lc", "64k twice"),
      ("--hls x --bitrates 300k:he", "out of range"),
      ("--hls x --bitrates 64k --save-bitrate 64k", "--save-bitrate is for --save"),
      ("--save a.m4a --save-bitrate 64k", "one of --bitrates"),
      ("--hls x --save a.m4a --bitrates 128k,64k --save-bitrate 96k", "Choose from 128k, 64k."),
      ("--save a.m4a --bitrates 128k,64k --save-bitrate 64k", "No output gets the 128k"),
      ("--save a.m4a --bitrates 128k --save-bitrate loud", "is not a bitrate"),
    ] as [(Words, String)])
  func contradictoryRenditionOptionsAreRejected(arguments: Words, words: String) {
    captured.aacorn(["stream"] + arguments.words, status: .usage, errors: words)
    #expect(captured.output.isEmpty)
  }
}
