import AacornCodec

/// The first fields of `mvhd` and `mdhd` (ISO/IEC 14496-12, 8.2.2 and 8.4.2), in which times take
/// eight bytes in version 1 and four in version 0.
struct MediaClock {
  /// The creation time, in seconds since the start of 1904.
  var creationTime: UInt64 = 0
  /// Ticks per second.
  var timescale: UInt32 = 0
  /// The duration in ticks.
  var duration: UInt64 = 0

  /// Writes the fields after version and flags; the time of the last change is the creation time.
  func put(wide: Bool, to box: inout BoxWriter) {
    box.putTimes(creationTime, wide: wide)
    box.put32(timescale)
    box.put(time: duration, wide: wide)
  }
}

extension MediaClock {
  /// Reads version, flags and the fields.
  init(reading reader: inout BitReader) {
    let isWide = reader.readIsWide()
    creationTime = reader.readTimes(wide: isWide)
    timescale = reader.read(32)
    duration = reader.readTime(wide: isWide)
  }
}

extension MP4Track.Edit {
  /// Reads an entry of `elst`.
  init(reading reader: inout BitReader, wide: Bool) {
    duration = reader.readTime(wide: wide)
    mediaTime =
      wide ? Int64(bitPattern: reader.read64()) : Int64(Int32(bitPattern: reader.read(32)))
    reader.skip(32)
  }

  /// Writes an entry of `elst`, at normal speed.
  func put(wide: Bool, to box: inout BoxWriter) {
    box.put(time: duration, wide: wide)
    box.put(time: UInt64(bitPattern: mediaTime), wide: wide)
    box.put32(0x0001_0000)
  }

  /// Whether the start does not fit the 32-bit signed number of version 0.
  var needsWideStart: Bool { Int32(exactly: mediaTime) == nil }
}

extension BoxWriter {
  /// Appends a time or duration at the width of the box's version: 8 bytes in version 1, else 4.
  mutating func put(time: UInt64, wide: Bool) {
    if wide {
      put64(time)
    } else {
      put32(UInt32(truncatingIfNeeded: time))
    }
  }

  /// Appends the times of the creation and of the last change.
  mutating func putTimes(_ creationTime: UInt64, wide: Bool) {
    put(time: creationTime, wide: wide)
    put(time: creationTime, wide: wide)
  }
}

extension BitReader {
  /// Reads version and flags; returns whether times take eight bytes.
  mutating func readIsWide() -> Bool {
    let version = read(8)
    skip(24)
    return version == 1
  }

  /// Reads the times of the creation and of the last change; returns the former.
  mutating func readTimes(wide: Bool) -> UInt64 {
    let creationTime = readTime(wide: wide)
    skip(wide ? 64 : 32)
    return creationTime
  }

  mutating func readTime(wide: Bool) -> UInt64 { wide ? read64() : UInt64(read(32)) }

  mutating func read64() -> UInt64 {
    let high = UInt64(read(32))
    return high << 32 | UInt64(read(32))
  }
}
