import AacornCodec
import AacornRecording
import AacornSystem
import Testing

@testable import AacornCommands

/// The checks and messages of `aacorn stream` for each rendition.
@Suite struct StreamRenditionTests {
  private let folder = TemporaryFolder()
  private let captured = CapturedConsole()

  // MARK: - Signaling

  private static let mixed = ["--bitrates", "128k:lc,48k:he", "--signaling", "compatible"]

  /// `--signaling` is rejected only for ADTS outputs that receive HE-AAC.
  ///
  /// Here they receive AAC-LC.
  @Test(
    arguments: [
      "--icecast icecast://s:p@h:8000/a --hls x",
      "--icecast icecast://s:p@h:8000/a --save a.m4a --save-bitrate 48k",
      "--save a.aac --rtmp rtmp://h/a/b --rtmp-bitrate 48k",
    ] as [Words])
  func plainADTSOutputMayAccompanySignaledRendition(outputs: Words) throws {
    let plan = try LivePlan(Self.mixed + outputs.words)
    #expect(plan.configuration.coding.profile == .lowComplexity)
    #expect(plan.configuration.furtherCodings.map(\.profile) == [.highEfficiency])
  }

  @Test(
    arguments: [
      (
        "--icecast icecast://s:p@h:8000/a --icecast-bitrate 48k --hls x",
        "--icecast means ADTS"
      ),
      ("--save a.aac --save-bitrate 48k --hls x", "--save a.aac means ADTS"),
      // A playlist contains all renditions, including HE-AAC.
      ("--hls x --hls-format aac", "--hls-format aac means ADTS"),
    ] as [(Words, String)])
  func outputWithoutExplicitSignalingIsNamed(outputs: Words, words: String) {
    captured.aacorn(["stream"] + Self.mixed + outputs.words, status: .usage)
    #expect(captured.errors.contains(words + ", which can signal HE-AAC only implicitly."))
    #expect(!captured.errors.contains("s:p@"))
  }

  @Test func theFirstRenditionIsJudgedByItself() throws {
    let words = ["--signaling", "hierarchical", "--bitrates", "48k:he,128k:lc", "--hls", "x"]
    #expect(throws: UsageError.self) { try LivePlan(words + ["--save", "a.aac"]) }
    _ = try LivePlan(words + ["--save", "a.aac", "--save-bitrate", "128k"])
  }

  /// If the bitrate selects AAC-LC, no signaling is needed.
  @Test func signalingCheckUsesProfileOfBitrate() throws {
    let words = ["--save", "a.aac", "--profile", "auto", "--signaling", "compatible", "-b"]
    _ = try LivePlan(words + ["128k"])
    #expect(throws: UsageError.self) { try LivePlan(words + ["48k"]) }
  }

  // MARK: - Bitrates

  @Test(
    arguments: [
      ("--bitrates 128k:lc,4k:he", "The 4k of --bitrates is out of range for HE-AAC."),
      ("--bitrates 600k,48k:he", "The 600k of --bitrates is out of range for AAC-LC."),
      ("--bitrates 64k:he,9500:he2", "The 9500 of --bitrates is out of range for HE-AAC v2."),
      (
        "--profile he --bitrates 300k,128k:lc", "The 300k of --bitrates is out of range for HE-AAC."
      ), ("-b 4k --profile he", "A bitrate of 4 kb/s is out of range for HE-AAC."),
    ] as [(Words, String)])
  func aBitrateOutOfRangeIsNamedWithItsProfile(options: Words, words: String) {
    captured.aacorn(["stream", "--hls", "x", "-r", "48k"] + options.words, status: .usage)
    #expect(
      captured.errors.contains(words + " With 48 kHz and 2 channels, choose from "),
      "\(captured.errors)")
    #expect(captured.output.isEmpty)
  }

  @Test func aRecordingSaysForWhichProfileItsBitrateIsOutOfRange() {
    let words = ["record", "a.m4a", "-c", "1", "--profile", "he", "--abr", "200k"]
    captured.aacorn(words, status: .usage)
    captured.expectErrors(
      "A bitrate of 200 kb/s is out of range for HE-AAC. "
        + "With 48 kHz and 1 channel, choose from 8 to 64 kb/s.")
  }

  // MARK: - Messages

  @Test func verboseOptionNamesAllRenditions() throws {
    captured.aacorn(
      "stream", "--device", "tone", "--unpaced", "-d", "1", "--hls", folder.path("hls"),
      "--hls-type", "vod", "--bitrates", "128k:lc,48k:he,32k:he2", "-v")
    captured.expectErrors(
      "The audio is encoded as AAC-LC with 128.0 kb/s, HE-AAC with 48.0 kb/s and HE-AAC v2 "
        + "with 32.0 kb/s at 48 kHz, 2 channels.")
  }

  @Test func textsAreListedWithOneWordBeforeTheLast() {
    #expect(listed([]).isEmpty)
    #expect(listed(["a"]) == "a")
    #expect(listed(["a", "b"]) == "a and b")
    #expect(listed(["a", "b", "c"], "or") == "a, b or c")
  }
}
