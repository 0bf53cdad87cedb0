public import AacornCodec

/// Conversions of the magic cookie of Apple's frameworks: for AAC, the descriptor in an MP4 file's
/// `esds` box, without the box.
public enum MagicCookie {
  /// Returns the cookie of a stream; `bitrate` is nominal, in bits per second, or 0 if variable or
  /// unknown.
  public static func bytes(of stream: AudioSpecificConfig, bitrate: Int = 0) -> [UInt8] {
    let rate = UInt32(clamping: bitrate)
    return ElementaryStreamDescriptor(
      bufferByteCount: UInt32(clamping: stream.bufferByteCount),
      maximumBitrate: rate, averageBitrate: rate, decoderSpecificInfo: stream.bytes
    ).bytes
  }

  /// Returns the configuration in a cookie, or nil if it is invalid.
  ///
  /// Some programs use the whole content of the box, which begins with four zero bytes, or only the
  /// configuration. Both forms are accepted.
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
