#if os(Linux)
import CAacornALSA

/// Numbers of frames in samples.
extension ALSACard {
  /// Frames with consecutive numbers that were played without a pause; the number 0 means silence.
  struct Run {
    var number: Int
    var count: Int
    /// The frame of the card's clock at which the first of them left the buffer.
    var frame: Int
  }

  /// A sample of a frame as an integer: of 15 bits in the format S16, otherwise of 23 bits.
  func value(ofFrame frame: Int, _ channel: Int) -> Int {
    format == AACORN_ALSA_FORMAT_S16
      ? (channel % 2 == 0 ? frame : frame >> 15) & 0x7FFF
      : (frame * channelCount + channel) & 0x7FFFFF
  }

  /// The number of a frame with these samples in the first two channels.
  func number(of first: Int, _ second: Int) -> Int {
    format == AACORN_ALSA_FORMAT_S16 ? first | second << 15 : first / channelCount
  }

  private var scale: Float { format == AACORN_ALSA_FORMAT_S16 ? 0x1p15 : 0x1p23 }

  /// The samples of a frame.
  func samples(ofFrame frame: Int) -> [Float] {
    (0..<channelCount).map { Float(value(ofFrame: frame, $0)) / scale }
  }

  /// The number of the first of these frames; nil if they are not consecutive frames of this card.
  func number(of samples: [Float]) -> Int? {
    guard samples.count >= channelCount else { return nil }
    let number = number(of: Int(samples[0] * scale), channelCount > 1 ? Int(samples[1] * scale) : 0)
    for index in samples.indices {
      let value = value(ofFrame: number + index / channelCount, index % channelCount)
      if Int(samples[index] * scale) != value { return nil }
    }
    return number
  }

  func store(_ value: Int, in bytes: UnsafeMutableRawPointer, _ index: Int) {
    switch format {
    case AACORN_ALSA_FORMAT_S16:
      bytes.storeBytes(of: Int16(value), toByteOffset: index * 2, as: Int16.self)
    case AACORN_ALSA_FORMAT_S24_3LE:
      for byte in 0..<3 {
        bytes.storeBytes(
          of: UInt8(value >> (8 * byte) & 255), toByteOffset: index * 3 + byte, as: UInt8.self)
      }
    case AACORN_ALSA_FORMAT_S24:
      bytes.storeBytes(of: Int32(value), toByteOffset: index * 4, as: Int32.self)
    case AACORN_ALSA_FORMAT_FLOAT:
      bytes.storeBytes(of: Float(value) / scale, toByteOffset: index * 4, as: Float.self)
    default: bytes.storeBytes(of: Int32(value) << 8, toByteOffset: index * 4, as: Int32.self)
    }
  }

  func load(_ bytes: UnsafeRawPointer, _ index: Int) -> Int {
    switch format {
    case AACORN_ALSA_FORMAT_S16: Int(bytes.load(fromByteOffset: index * 2, as: Int16.self))
    case AACORN_ALSA_FORMAT_S24_3LE:
      (0..<3).reduce(0) {
        $0 | Int(bytes.load(fromByteOffset: index * 3 + $1, as: UInt8.self)) << (8 * $1)
      }
    case AACORN_ALSA_FORMAT_S24: Int(bytes.load(fromByteOffset: index * 4, as: Int32.self))
    case AACORN_ALSA_FORMAT_FLOAT:
      Int(bytes.load(fromByteOffset: index * 4, as: Float.self) * scale)
    default: Int(bytes.load(fromByteOffset: index * 4, as: Int32.self) >> 8)
    }
  }
}
#endif
