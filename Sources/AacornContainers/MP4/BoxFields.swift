import AacornCodec

/// The fields of a box, in order: a `BitReader` reads them, and a `BoxWriter` writes them.
///
/// So one `transfer` function describes a box for the parser and for the writer.
protocol BoxFields {
  /// Reads or writes a big-endian number of `bits` bits.
  mutating func field<Number: FixedWidthInteger>(_ number: inout Number, bits: Int)
  /// Skips `bits` bits, or writes them with this value.
  mutating func put(_ value: UInt64, bits: Int)
}

extension BoxFields {
  /// Transfers the matrix of a picture that is shown unchanged (14496-12, 6.2.2).
  mutating func putMatrix() {
    for value: UInt64 in [0x0001_0000, 0, 0, 0, 0x0001_0000, 0, 0, 0, 0x4000_0000] {
      put(value, bits: 32)
    }
  }
}

extension BoxWriter: BoxFields {
  mutating func field<Number: FixedWidthInteger>(_ number: inout Number, bits: Int) {
    put(UInt64(truncatingIfNeeded: number), bits: bits)
  }
}

extension BitReader: BoxFields {
  mutating func field<Number: FixedWidthInteger>(_ number: inout Number, bits: Int) {
    let value = readLong(bits)
    let unused = UInt64(64 - bits)
    // Extends the sign of a signed number.
    number =
      Number.isSigned
      ? Number(truncatingIfNeeded: Int64(bitPattern: value << unused) >> Int64(unused))
      : Number(truncatingIfNeeded: value)
  }

  mutating func put(_: UInt64, bits: Int) { skip(bits) }

  /// Reads a number of up to 64 bits.
  mutating func readLong(_ bits: Int) -> UInt64 {
    let high = bits > 32 ? UInt64(read(bits - 32)) << 32 : 0
    return high | UInt64(read(min(bits, 32)))
  }

  mutating func readCode() -> FourCharacterCode { FourCharacterCode(rawValue: read(32)) }

  /// Reads version and flags; returns the length of times in bits.
  mutating func readTimeBits() -> Int {
    let version = read(8)
    skip(24)
    return version == 1 ? 64 : 32
  }
}

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

/// The fields of `tkhd` (ISO/IEC 14496-12, 8.3.2).
struct TrackHeader {
  /// The creation time, in seconds since the start of 1904.
  var creationTime: UInt64 = 0
  var identifier: UInt32 = 0
  /// The duration in ticks of the movie.
  var duration: UInt64 = 0
  /// The volume in 8.8 fixed point: 1 for audio.
  var volume: UInt16 = 0

  /// Transfers the fields after version and flags.
  mutating func transfer(_ box: inout some BoxFields, timeBits: Int) {
    box.field(&creationTime, bits: timeBits)
    // The time of the last change.
    box.put(creationTime, bits: timeBits)
    box.field(&identifier, bits: 32)
    box.put(0, bits: 32)
    box.field(&duration, bits: timeBits)
    // Two reserved words, the layer and the group.
    box.put(0, bits: 96)
    box.field(&volume, bits: 16)
    box.put(0, bits: 16)
    box.putMatrix()
    // The width and the height of a picture.
    box.put(0, bits: 64)
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
