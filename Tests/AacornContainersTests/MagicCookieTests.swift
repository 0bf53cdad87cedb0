import AacornCodec
import AacornSignal
import Testing

@testable import AacornContainers

/// The stream descriptions that Apple's frameworks require.
@Suite struct MagicCookieTests {
  private func config(_ channels: Int, isReplicated: Bool = false) -> AudioSpecificConfig {
    var stream = AudioSpecificConfig.test(rate: isReplicated ? 22_050 : 44_100, channels: channels)
    if isReplicated {
      stream.extensionSampleRate = 44_100
      stream.signaling = .backwardCompatible
    }
    return stream
  }

  @Test func aCookieIsTheDescriptorOfAFile() {
    let cookie = MagicCookie.bytes(of: config(2), bitrate: 128_000)
    #expect(
      cookie == [
        0x03, 0x80, 0x80, 0x80, 0x22, 0, 0, 0,
        0x04, 0x80, 0x80, 0x80, 0x14, 0x40, 0x15, 0x00, 0x06, 0x00,
        0x00, 0x01, 0xF4, 0x00, 0x00, 0x01, 0xF4, 0x00,
        0x05, 0x80, 0x80, 0x80, 0x02, 0x12, 0x10,
        0x06, 0x80, 0x80, 0x80, 0x01, 0x02,
      ])
  }

  @Test func aCookieIsReadInEachForm() {
    let stream = config(2, isReplicated: true)
    let cookie = MagicCookie.bytes(of: stream)
    #expect(MagicCookie.configuration(in: cookie) == stream)
    #expect(MagicCookie.configuration(in: [0, 0, 0, 0] + cookie) == stream)
    #expect(MagicCookie.configuration(in: stream.bytes) == stream)
  }

  @Test func invalidCookieHasNoConfiguration() {
    #expect(MagicCookie.configuration(in: []) == nil)
    #expect(MagicCookie.configuration(in: [3]) == nil)
    let cookie = MagicCookie.bytes(of: config(2))
    for count in 0..<cookie.count - 8 {
      #expect(MagicCookie.configuration(in: Array(cookie[..<count])) == nil)
    }
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
