public import AacornCodec

/// What Apple's frameworks call a magic cookie: of AAC it is the descriptor in an MP4 file's `esds`
/// box, without the box.
public enum MagicCookie {
  /// The cookie of a stream of this nominal bitrate; 0 if the rate varies or is unknown.
  public static func bytes(of stream: AudioSpecificConfig, bitrate: Int = 0) -> [UInt8] {
    let rate = UInt32(clamping: bitrate)
    return ElementaryStreamDescriptor(
      bufferByteCount: UInt32(clamping: max(1, stream.bufferedChannelCount) * 6144 / 8),
      maximumBitrate: rate, averageBitrate: rate, decoderSpecificInfo: stream.bytes
    ).bytes
  }

  /// The configuration in a cookie; nil if there is none.
  ///
  /// Some programs make cookies of the whole content of the box, which begins with four bytes of 0,
  /// or of the configuration alone. They are read too.
  public static func configuration(in bytes: [UInt8]) -> AudioSpecificConfig? {
    let start = bytes.count > 4 && bytes[0..<4].allSatisfy({ $0 == 0 }) ? 4 : 0
    if start < bytes.count, bytes[start] == 3 {
      let range = start..<bytes.count
      guard let descriptor = ElementaryStreamDescriptor(parsing: bytes, range: range) else {
        return nil
      }
      return AudioSpecificConfig(parsing: descriptor.decoderSpecificInfo)
    }
    return AudioSpecificConfig(parsing: bytes)
  }
}
