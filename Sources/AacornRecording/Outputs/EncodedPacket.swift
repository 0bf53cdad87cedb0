public import AacornCodec

/// A piece of the coded audio, with its position in time.
public struct EncodedPacket: Sendable, Equatable {
  /// The coded bytes: an AAC access unit, or interleaved little-endian samples.
  public var bytes: [UInt8]
  /// The position of its first sample in the recording; negative while the encoder is priming.
  ///
  /// It is counted in samples, never taken from the clock.
  public var position: Int
  /// Samples that it decodes to.
  public var sampleCount: Int
  /// Which file of a split recording it belongs to, counted from 0.
  public var segment: Int
  /// Which coding it belongs to: 0 or, for an output that takes several, the number of a further
  /// coding, from 1.
  public var rendition = 0
  /// When its first sample was captured, in nanoseconds of the monotonic clock.
  public var captureTime: Int64
  /// What is left in the decoder's buffer after it, in bits; nil at variable bitrate and for
  /// samples.
  public var reservoirBits: Int?
  /// What the encoder did with the frame, if the recording was asked to say so.
  public var statistics: FrameStatistics?
  /// Gaps reported since the previous packet: they end at or before its last sample.
  public var gaps: [RecordingGap]

  /// A packet.
  public init(
    bytes: [UInt8], position: Int, sampleCount: Int, segment: Int = 0, captureTime: Int64 = 0,
    gaps: [RecordingGap] = []
  ) {
    self.bytes = bytes
    self.position = position
    self.sampleCount = sampleCount
    self.segment = segment
    self.captureTime = captureTime
    self.gaps = gaps
  }
}

extension EncodedPacket {
  /// A packet that takes an access unit's bytes away; its positions count from `origin`.
  init(taking unit: inout AccessUnit, origin: Int) {
    self.init(
      bytes: [], position: origin + unit.samplePosition, sampleCount: unit.sampleCount)
    swap(&bytes, &unit.bytes)
    reservoirBits = unit.reservoirBits
    statistics = unit.statistics
  }

  /// The access unit, for a container.
  ///
  /// A recording's units do not say which of their bits a checksum covers.
  public var accessUnit: AccessUnit {
    AccessUnit(
      bytes: bytes, sampleCount: sampleCount, samplePosition: position,
      reservoirBits: reservoirBits, statistics: statistics)
  }
}
