import AacornApple
import AacornCodec
import AacornSignal
import Testing

/// The stream descriptions that Apple's frameworks require.
@Suite struct CodedAudioDescriptionTests {
  private func config(
    _ channels: Int, isReplicated: Bool = false
  ) -> AudioSpecificConfig {
    var stream = AudioSpecificConfig(
      objectType: .lowComplexity, sampleRate: isReplicated ? 22_050 : 44_100,
      channelConfiguration: channels)
    if isReplicated {
      stream.extensionSampleRate = 44_100
      stream.signaling = .backwardCompatible
    }
    return stream
  }

  @Test(
    arguments: [
      (1, 100 << 16 | 1, 1), (2, 101 << 16 | 2, 2), (3, 114 << 16 | 3, 3), (4, 116 << 16 | 4, 4),
      (5, 120 << 16 | 5, 5), (6, 124 << 16 | 6, 6), (7, 127 << 16 | 8, 8),
    ] as [(Int, UInt32, Int)])
  func descriptionUsesChannelOrderOfStream(number: Int, tag: UInt32, count: Int) {
    let stream = config(number)
    let description = CodedAudioDescription(stream, StreamTiming(stream))
    #expect(description.layoutTag == tag && description.channelCount == count)
    #expect(description.formatID == 0x6161_6320 && description.framesPerPacket == 1024)
  }

  @Test func bandReplicationHasOwnFormat() {
    var stream = config(1, isReplicated: true)
    let mono = CodedAudioDescription(stream, StreamTiming(stream))
    #expect(mono.formatID == 0x6161_6368 && mono.framesPerPacket == 2048)
    #expect(mono.sampleRate == 44_100 && mono.channelCount == 1)
    stream.hasParametricStereo = true
    let stereo = CodedAudioDescription(stream, StreamTiming(stream))
    #expect(stereo.formatID == 0x6161_6370 && stereo.channelCount == 2)
    let tag: UInt32 = 101 << 16 | 2
    #expect(stereo.layoutTag == tag)
  }

  @Test func everyErrorMessageHasTwoParts() {
    for error: CodedBufferError in [
      .samples(.notReady), .conversion(.channelCount(7)), .noConfiguration,
      .decoder(.invalidConfiguration), .misplacedPackets(byteCount: 3), .system(-12_710),
    ] {
      #expect(error.message.hasSuffix(".") && error.message.contains(". "))
    }
  }
}
