/// The first fields of `mvhd` and `mdhd` (ISO/IEC 14496-12, 8.2.2 and 8.4.2), in which times take
/// 64 bits in version 1 and 32 in version 0.
struct MediaClock {
  /// The creation time, in seconds since the start of 1904.
  var creationTime: UInt64 = 0
  /// Ticks per second.
  var timescale: UInt32 = 0
  /// The duration in ticks.
  var duration: UInt64 = 0

  /// Transfers the fields after version and flags.
  mutating func transfer(_ box: inout some BoxFields, timeBits: Int) {
    box.field(&creationTime, bits: timeBits)
    // The time of the last change.
    box.put(creationTime, bits: timeBits)
    box.field(&timescale, bits: 32)
    box.field(&duration, bits: timeBits)
  }
}

extension MP4Track.Edit {
  /// Transfers an entry of `elst`, at normal speed.
  mutating func transfer(_ box: inout some BoxFields, timeBits: Int) {
    box.field(&duration, bits: timeBits)
    box.field(&mediaTime, bits: timeBits)
    box.put(0x0001_0000, bits: 32)
  }

  /// Whether the start does not fit the 32-bit signed number of version 0.
  var needsWideStart: Bool { Int32(exactly: mediaTime) == nil }
}
