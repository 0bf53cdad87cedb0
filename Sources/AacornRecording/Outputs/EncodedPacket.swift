public import AacornCodec

/// A packet of coded audio, with its position in time.
public struct EncodedPacket: Sendable, Equatable {
  /// The coded bytes: an AAC access unit, or interleaved little-endian samples.
  public var bytes: [UInt8]
  /// The position of its first sample in the recording; negative while the encoder is priming.
  ///
  /// Positions count samples and do not depend on the clock.
  public var position: Int
  /// The number of decoded samples.
  public var sampleCount: Int
  /// The index of the file in a split recording.
  public var segment: Int
  /// The index of its coding: 0 or, for an output of several renditions, the number of a further
  /// coding from 1.
  public var rendition = 0
  /// The capture time of its first sample, in nanoseconds of the monotonic clock.
  public var captureTime: Int64
  /// The remaining bits in the decoder's buffer after this packet; nil at variable bitrate and for
  /// samples.
  public var reservoirBits: Int?
  /// The encoder's statistics of the frame, if requested.
  public var statistics: FrameStatistics?
  /// Gaps reported since the previous packet: they end at or before its last sample.
  public var gaps: [RecordingGap]
  /// Whether a decoder can start at the packet; servers of live audio receive this property.
  ///
  /// In HE-AAC, only few packets are such entry points.
  public var isEntry: Bool

  /// Creates a packet without statistics.
  public init(
    bytes: [UInt8], position: Int, sampleCount: Int, segment: Int = 0, captureTime: Int64 = 0,
    gaps: [RecordingGap] = [], isEntry: Bool = true
  ) {
    self.bytes = bytes
    self.position = position
    self.sampleCount = sampleCount
    self.segment = segment
    self.captureTime = captureTime
    self.gaps = gaps
    self.isEntry = isEntry
  }
}

extension EncodedPacket {
  /// Creates a packet by moving an access unit's bytes; its positions count from `origin`.
  init(taking unit: inout AccessUnit, origin: Int) {
    self.init(
      bytes: [], position: origin + unit.samplePosition, sampleCount: unit.sampleCount)
    swap(&bytes, &unit.bytes)
    reservoirBits = unit.reservoirBits
    statistics = unit.statistics
  }

  /// The access unit, for a container.
  ///
  /// The access unit does not list the bits that a checksum protects.
  public var accessUnit: AccessUnit {
    AccessUnit(
      bytes: bytes, sampleCount: sampleCount, samplePosition: position,
      reservoirBits: reservoirBits, statistics: statistics)
  }
}
