import AacornCodec
import Testing

@testable import AacornStreaming

@Suite struct FLVAudioTagTests {
  @Test(arguments: [
    (48_000, 2, [0x11, 0x90]), (44_100, 1, [0x12, 0x08]), (8000, 6, [0x15, 0xB0]),
  ])
  func flagsAreTheSameForAllSound(rate: Int, channels: Int, configuration: [UInt8]) {
    let header = FLVAudioTag.sequenceHeader(
      AudioSpecificConfig(
        objectType: .lowComplexity, sampleRate: rate, channelConfiguration: channels))
    #expect(header == [0xAF, 0] + configuration)
  }

  @Test func frameIsWrittenUnchanged() {
    #expect(FLVAudioTag.frame([1, 2, 3]) == [0xAF, 1, 1, 2, 3])
    #expect(FLVAudioTag.frame([]) == [0xAF, 1])
  }
}
