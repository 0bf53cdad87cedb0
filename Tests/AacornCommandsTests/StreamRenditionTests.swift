import AacornCodec
import AacornRecording
import AacornSystem
import Testing

@testable import AacornCommands

/// The checks and messages of `aacorn stream` for each rendition.
@Suite struct StreamRenditionTests {
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

  @Test func textsAreListedWithOneWordBeforeTheLast() {
    #expect(listed([]).isEmpty)
    #expect(listed(["a"]) == "a")
    #expect(listed(["a", "b"]) == "a and b")
    #expect(listed(["a", "b", "c"], "or") == "a, b or c")
  }
}
