/// One coded frame: the bytes of a raw_data_block and its metadata for a container.
public struct AccessUnit: Equatable, Sendable {
  /// The raw_data_block, byte-aligned.
  public var bytes: [UInt8]
  /// PCM samples per channel that the unit decodes to; 1024 for AAC-LC.
  public var sampleCount: Int
  /// Position of the unit's first decoded sample; negative while priming.
  public var samplePosition: Int
  /// The bits left in the decoder's buffer after this unit; nil at variable bitrate.
  public var reservoirBits: Int?
  /// The bit ranges that an ADTS checksum covers, in order (14496-3, 1.A.3.2).
  public var protectedRegions: [ProtectedRegion]
  /// The encoder's decisions for the frame, if the caller requested statistics.
  public var statistics: FrameStatistics?

  /// Creates a unit, by default an empty one of 1024 samples.
  public init(
    bytes: [UInt8] = [], sampleCount: Int = 1024, samplePosition: Int = 0,
    reservoirBits: Int? = nil, protectedRegions: [ProtectedRegion] = [],
    statistics: FrameStatistics? = nil
  ) {
    self.bytes = bytes
    self.sampleCount = sampleCount
    self.samplePosition = samplePosition
    self.reservoirBits = reservoirBits
    self.protectedRegions = protectedRegions
    self.statistics = statistics
  }
}

/// Bits of a raw_data_block that the ADTS checksum covers.
@frozen
public struct ProtectedRegion: Equatable, Sendable {
  /// First bit, counted from the start of the raw_data_block.
  public var start: Int
  /// The number of actual bits.
  public var count: Int
  /// The number of bits in the checksum: the actual ones, then zeros.
  public var paddedCount: Int

  /// Creates a region of `count` bits from `start`, padded with zeros to `paddedCount`.
  public init(start: Int, count: Int, paddedCount: Int) {
    self.start = start
    self.count = count
    self.paddedCount = paddedCount
  }
}

extension [ProtectedRegion] {
  /// Appends the regions of an element that an ADTS checksum covers (14496-3, 1.A.3.2).
  ///
  /// `bits` is the range of the element, `secondStream` the start of a pair's second channel.
  mutating func appendRegions(of kind: ElementKind, _ bits: Range<Int>, secondStream: Int?) {
    // The checksum does not cover the three bits of the kind.
    let content = bits.lowerBound + 3..<bits.upperBound
    switch kind {
    case .single, .pair, .coupling, .lowFrequency: append(192, of: content)
    case .data, .programConfig: append(content.count, of: content)
    case .fill, .end: break
    }
    if let secondStream { append(128, of: secondStream..<bits.upperBound) }
  }

  private mutating func append(_ count: Int, of bits: Range<Int>) {
    append(
      ProtectedRegion(
        start: bits.lowerBound, count: Swift.min(bits.count, count), paddedCount: count))
  }
}

/// The samples to trim from a decoded stream so that exactly the input samples remain.
@frozen
public struct StreamTrim: Equatable, Sendable {
  /// Samples per channel to drop at the start: the encoder's delay.
  public var priming: Int
  /// Samples per channel to drop at the end: the padding of the last frame.
  public var remainder: Int
  /// Samples per channel of the input.
  public var sampleCount: Int

  /// Creates a trim with these three counts.
  public init(priming: Int, remainder: Int, sampleCount: Int) {
    self.priming = priming
    self.remainder = remainder
    self.sampleCount = sampleCount
  }
}

/// The limits of a frame's size.
package enum FrameLimits {
  /// The decoder's buffer in bits, for each channel except the LFE (ISO/IEC 14496-3, 4.5.3.1).
  package static var bufferBitsPerChannel: Int { 6144 }
  /// The maximum number of bytes of a frame that is read: more than 64 channels (48 KiB) can use.
  package static var maxByteCount: Int { 1 << 17 }
  /// The maximum number of bytes of a frame in the tables of a new MP4 file, which keep 16 bits for
  /// each frame in memory.
  package static var maxTableByteCount: Int { Int(UInt16.max) }
  /// The maximum number of bytes of a frame or header whose length is not stored: the buffers of 16
  /// channels, plus data.
  package static var maxByteCountWithoutLength: Int { 1 << 14 }
}

extension AudioSpecificConfig {
  /// The size of the decoder's buffer in bytes; at least the buffer of one channel.
  package var bufferByteCount: Int {
    max(1, bufferedChannelCount) * FrameLimits.bufferBitsPerChannel / 8
  }
}
