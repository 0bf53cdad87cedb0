/// Writes nested boxes (ISO/IEC 14496-12, 4.2), with gaps for tables that are inserted later.
///
///     bytes   [ moov … stsz header | stsc … stco header | sgpd … udta … ]
///     gaps                         ^ sizes              ^ offsets
///
/// A gap counts in the sizes of the enclosing boxes but takes no memory, so the movie box for a day
/// of audio can be measured and written without ever being in memory as a whole.
struct BoxWriter {
  /// A table that belongs before `bytes[position]`.
  struct Gap {
    /// The index in `bytes` at which to insert the table.
    var position: Int
    /// The length of the table.
    var byteCount: Int
  }

  /// The written bytes, without the tables for the gaps.
  private(set) var bytes: [UInt8] = []
  /// The omitted tables, in order.
  private(set) var gaps: [Gap] = []
  private var gapTotal = 0
  /// Eight bytes for a file offset: their index, and the distance of the target from the start of
  /// all boxes.
  private var reservedOffset: (index: Int, distance: Int)?

  /// Returns the bytes that `body` writes.
  static func bytes(_ body: (inout BoxWriter) -> Void) -> [UInt8] {
    var writer = BoxWriter()
    body(&writer)
    return writer.bytes
  }

  /// The total length, gaps included.
  var byteCount: Int { bytes.count + gapTotal }

  mutating func box(_ type: FourCharacterCode, _ body: (inout BoxWriter) -> Void) {
    let position = bytes.count
    let start = byteCount
    put32(0)
    put32(type.rawValue)
    body(&self)
    let size = UInt32(byteCount - start)
    for index in 0..<4 {
      bytes[position + index] = UInt8(truncatingIfNeeded: size >> UInt32(24 - 8 * index))
    }
  }

  /// Writes a box with version and flags before the output of `body`.
  mutating func fullBox(
    _ type: FourCharacterCode, version: UInt8 = 0, flags: UInt32 = 0,
    _ body: (inout BoxWriter) -> Void
  ) {
    box(type) { box in
      box.put32(UInt32(version) << 24 | flags)
      body(&box)
    }
  }

  /// Writes a table of `numbers` in rows of `columns`, after the number of rows.
  mutating func table(_ type: FourCharacterCode, columns: Int, _ numbers: [UInt32]) {
    fullBox(type) { box in
      box.put32(UInt32(numbers.count / columns))
      for number in numbers { box.put32(number) }
    }
  }

  /// Leaves a gap for a table of `byteCount` bytes.
  mutating func gap(byteCount: Int) {
    gaps.append(Gap(position: bytes.count, byteCount: byteCount))
    gapTotal += byteCount
  }

  /// Reserves eight bytes for the file offset of a target at `distance` from the start of all
  /// boxes.
  ///
  /// Only one such offset can be reserved.
  mutating func reserveOffset(distance: Int) {
    reservedOffset = (bytes.count, distance)
    putZeros(8)
  }

  /// Fills in the reserved offset for boxes that are written at `offset` of a file.
  mutating func fillReservedOffset(at offset: UInt64) {
    guard let reservedOffset else { return }
    let value = offset &+ UInt64(reservedOffset.distance)
    for index in 0..<8 {
      bytes[reservedOffset.index + index] = UInt8(
        truncatingIfNeeded: value >> UInt64(56 - 8 * index))
    }
  }

  mutating func put(_ more: [UInt8]) {
    bytes.append(contentsOf: more)
  }

  mutating func put(_ code: FourCharacterCode) {
    put32(code.rawValue)
  }

  mutating func putZeros(_ count: Int) {
    bytes.append(contentsOf: repeatElement(0, count: count))
  }

  mutating func put8(_ value: UInt8) {
    bytes.append(value)
  }

  /// Appends two bytes, big-endian.
  mutating func put16(_ value: UInt16) {
    put8(UInt8(truncatingIfNeeded: value >> 8))
    put8(UInt8(truncatingIfNeeded: value))
  }

  /// Appends four bytes, big-endian.
  mutating func put32(_ value: UInt32) {
    put16(UInt16(truncatingIfNeeded: value >> 16))
    put16(UInt16(truncatingIfNeeded: value))
  }

  /// Appends the low `bits` bits of `value`, a multiple of 8, big-endian.
  mutating func put(_ value: UInt64, bits: Int) {
    for shift in stride(from: bits - 8, through: 0, by: -8) {
      put8(UInt8(truncatingIfNeeded: value >> UInt64(shift)))
    }
  }
}

extension BoxWriter {
  /// Writes the first box, which identifies the kind of file (14496-12, 4.3).
  mutating func putFileType(isFragmented: Bool) {
    let brands: [FourCharacterCode] = [.brandM4A, .brandMP42, .brandISO]
    // The brand iso6 introduced offsets relative to the start of the fragment.
    putBrands(.fileType, isFragmented ? brands + [.brandISO6] : brands)
  }

  /// Writes a box with brands; the first one is the major brand.
  mutating func putBrands(_ type: FourCharacterCode, _ brands: [FourCharacterCode]) {
    box(type) { box in
      box.put(brands[0])
      box.put32(0)
      for brand in brands { box.put(brand) }
    }
  }

  /// Writes `hdlr`, the kind of a track or of metadata (14496-12, 8.4.3).
  mutating func putHandler(
    _ kind: FourCharacterCode, manufacturer: FourCharacterCode = FourCharacterCode(rawValue: 0),
    name: String
  ) {
    fullBox(.handler) { box in
      box.putZeros(4)
      box.put(kind)
      box.put(manufacturer)
      box.putZeros(8)
      box.put(Array(name.utf8))
      box.putZeros(1)
    }
  }

  /// Writes the header of a box of `byteCount` bytes.
  ///
  /// The header has 8 bytes, or 16 if the size needs 64 bits.
  mutating func putHeader(_ type: FourCharacterCode, byteCount: UInt64) {
    put32(UInt32(exactly: byteCount) ?? 1)
    put(type)
    if byteCount > 0xFFFF_FFFF { put(byteCount, bits: 64) }
  }

  /// Returns the header of a box of `byteCount` bytes.
  static func header(_ type: FourCharacterCode, byteCount: UInt64) -> [UInt8] {
    bytes { $0.putHeader(type, byteCount: byteCount) }
  }
}
