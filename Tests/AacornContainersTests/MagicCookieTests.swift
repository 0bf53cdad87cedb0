import AacornCodec
import AacornSignal
import Testing

@testable import AacornContainers

/// The magic cookies of Apple's frameworks.
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
}
