import AacornCodec

/// The bodies of AAC audio tags, as in FLV files and RTMP (FLV 10.1, E.4.2.1 and E.4.2.2).
///
///     SoundFormat:4 = 10 (AAC), SoundRate:2 = 3, SoundSize:1 = 1, SoundType:1 = 1
///     AACPacketType:8 = 0 (AudioSpecificConfig) or 1 (raw access unit)
///
/// For AAC, the rate and channel fields of the first byte are meaningless and constant. The
/// AudioSpecificConfig contains the actual values.
enum FLVAudioTag {
  /// The first byte of every body.
  static let flags: UInt8 = 0xAF

  /// Returns the body that must precede the first access unit.
  static func sequenceHeader(_ configuration: AudioSpecificConfig) -> [UInt8] {
    [flags, 0] + configuration.bytes
  }

  /// Returns a body with an access unit.
  static func frame(_ accessUnit: [UInt8]) -> [UInt8] {
    var body: [UInt8] = []
    body.reserveCapacity(2 + accessUnit.count)
    body.append(flags)
    body.append(1)
    body += accessUnit
    return body
  }
}
