public import AacornCodec

/// The 56 bits before every ADTS frame (ISO/IEC 14496-3, 1.A.2.2).
///
///     syncword 12 | ID 1 | layer 2 | protection_absent 1 | profile 2 | sampling_frequency_index 4
///     private_bit 1 | channel_configuration 3 | original 1 | home 1
///     copyright_id_bit 1 | copyright_id_start 1 | aac_frame_length 13 | adts_buffer_fullness 11
///     number_of_raw_data_blocks_in_frame 2
///
/// The bits are stored unchanged, since the checksum covers them.
public struct ADTSHeader: Equatable, Sendable {
  /// The standard that the stream claims to follow.
  public enum Version: Equatable, Sendable {
    /// MPEG-4, the ID bit 0.
    case mpeg4
    /// MPEG-2, the ID bit 1; it lacks perceptual noise substitution and long term prediction.
    case mpeg2
  }

  /// The header, in the low 56 bits.
  public let bits: UInt64
  /// The sampling frequency of the core; HE-AAC plays at twice this frequency.
  public let samplingFrequency: SamplingFrequency

  /// Parses a header; returns nil if its fields are impossible.
  public init?(bits: UInt64) {
    guard Self.fault(in: bits) == nil,
      let frequency = SamplingFrequency(index: Self.field(bits, at: 34, width: 4))
    else { return nil }
    self.bits = bits
    samplingFrequency = frequency
  }

  /// The standard that the stream claims to follow.
  public var version: Version { field(43, 1) == 0 ? .mpeg4 : .mpeg2 }
  /// Whether the frame has a checksum.
  public var hasChecksum: Bool { Self.hasChecksum(bits) }
  /// The core's object type, 1…4.
  public var objectType: AudioObjectType { AudioObjectType(rawValue: UInt8(field(38, 2) + 1)) }
  /// The channel configuration: 1…7 for the standard layouts, 0 if a program config element
  /// specifies it.
  public var channelConfiguration: Int { field(30, 3) }
  /// A bit for private use.
  public var isPrivate: Bool { field(33, 1) != 0 }
  /// Whether the stream claims to be an original rather than a copy.
  public var isOriginal: Bool { field(29, 1) != 0 }
  /// Whether the home bit is set.
  public var isHome: Bool { field(28, 1) != 0 }
  /// One bit of the copyright number that runs through 72 frames.
  public var copyrightIDBit: Bool { field(27, 1) != 0 }
  /// Whether the copyright number begins in this frame.
  public var copyrightIDStart: Bool { field(26, 1) != 0 }
  /// The length of the frame in bytes, header included.
  public var frameLength: Int { Self.frameLength(bits) }
  /// The bits left in the bit reservoir, in units of 32 bits per channel; 0x7FF means variable
  /// rate.
  public var bufferFullness: Int { field(2, 11) }
  /// The number of raw_data_blocks in the frame, 1…4.
  public var blockCount: Int { Self.blockCount(bits) }

  /// The number of bytes before the first raw_data_block: header, block positions, checksum.
  public var headerLength: Int { Self.headerLength(bits) }

  /// The equivalent configuration, without the layout if `channelConfiguration` is 0.
  public var audioSpecificConfig: AudioSpecificConfig {
    AudioSpecificConfig(
      objectType: objectType, sampleRate: samplingFrequency.hertz,
      channelConfiguration: channelConfiguration)
  }

  private func field(_ shift: Int, _ width: Int) -> Int {
    Self.field(bits, at: shift, width: width)
  }
}

extension ADTSHeader: FrameHeader {
  static let fixedByteCount = 7
  static let firstByte: UInt8 = 0xFF

  static func fault(in bits: UInt64) -> StreamDamage.Kind? {
    if field(bits, at: 44, width: 12) != 0xFFF { return .garbage }
    let layer = field(bits, at: 41, width: 2)
    let frequencyIndex = field(bits, at: 34, width: 4)
    if layer != 0 || frequencyIndex > 12 { return .invalidHeader }
    // With several blocks, each is followed by its own checksum.
    let blocks = blockCount(bits)
    let minimum = headerLength(bits) + (hasChecksum(bits) && blocks > 1 ? 2 * blocks : 0)
    return frameLength(bits) < minimum ? .frameTooShort : nil
  }

  /// Returns whether both headers have the same standard, object type, rate and channels.
  func agrees(with other: ADTSHeader) -> Bool { (bits ^ other.bits) & Self.parameterMask == 0 }

  /// Returns whether the headers differ only in length and buffer fullness; the other 32 bits are
  /// equal.
  func isNearDuplicate(of other: ADTSHeader) -> Bool {
    (bits ^ other.bits) & ~(0xFF_FFFF << 2) == 0
  }

  private static let parameterMask: UInt64 = 1 << 43 | 0x3F << 34 | 7 << 30

  private static func field(_ bits: UInt64, at shift: Int, width: Int) -> Int {
    Int(truncatingIfNeeded: bits >> UInt64(shift) & (1 << UInt64(width) - 1))
  }

  private static func hasChecksum(_ bits: UInt64) -> Bool { field(bits, at: 40, width: 1) == 0 }

  private static func frameLength(_ bits: UInt64) -> Int { field(bits, at: 13, width: 13) }

  private static func blockCount(_ bits: UInt64) -> Int { field(bits, at: 0, width: 2) + 1 }

  private static func headerLength(_ bits: UInt64) -> Int {
    hasChecksum(bits) ? 7 + 2 * blockCount(bits) : 7
  }
}

extension ADTSHeader {
  /// Returns the part of the header that stays the same in a stream, with the length field zero.
  static func template(
    version: Version, hasChecksum: Bool, objectType: AudioObjectType,
    samplingFrequency: SamplingFrequency, channelConfiguration: Int
  ) -> UInt64 {
    var bits: UInt64 = 0xFFF << 44
    if version == .mpeg2 { bits |= 1 << 43 }
    if !hasChecksum { bits |= 1 << 40 }
    bits |= UInt64(objectType.rawValue - 1) << 38
    bits |= UInt64(samplingFrequency.index) << 34
    bits |= UInt64(channelConfiguration) << 30
    return bits
  }
}
