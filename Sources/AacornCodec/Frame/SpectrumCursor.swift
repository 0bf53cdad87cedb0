/// Reads the codewords of a spectrum (ISO/IEC 14496-3, 4.6.3.3).
///
/// Its own position stays in a register; past the end it reads zeros.
///
/// Lines are stored as 16-bit lanes of one word, the first in the lowest bits, which is their order
/// in memory on every platform of Swift. With v the magnitudes and m a mask with ones in the
/// negative lanes, the lines are (v ^ m) − m, lane by lane. A magnitude of zero has no sign, so no
/// lane borrows from the next.
struct SpectrumCursor {
  /// The position of the next bit; past the end after an overrun.
  private(set) var next: Int
  /// One past the last bit.
  private let end: Int
  /// The last bit position at which one load can read eight bytes.
  private let lastFullLoadPosition: Int

  init(_ bits: BitReader) {
    next = bits.position
    end = bits.endBit
    lastFullLoadPosition = end / 8 * 8 - 57
  }

  /// Reads `count` lines, a multiple of four, of one band with codebook 1…11.
  ///
  /// `tables` come from `SpectralTables`, and `bytes` are the bytes of the reader. The lines are
  /// written to `lines`, or skipped if that is nil. Returns false at an escape sequence for a
  /// magnitude above 8191.
  @inline(__always)
  mutating func read(
    _ codebook: Int, count: Int, tables: SpectralTables.Pointers, from bytes: UnsafeRawPointer,
    into lines: UnsafeMutablePointer<Int16>?
  ) -> Bool {
    let table = unsafe tables.table(codebook)
    guard let lines = unsafe lines else {
      return unsafe skip(codebook, table: table, count: count, in: bytes)
    }
    let target = UnsafeMutableRawPointer(lines)
    // With constant arguments, the compiler makes a separate loop for each kind of book.
    switch codebook {
    case 1, 2:
      unsafe readQuads(
        isSigned: true, table, tables: tables, count: count, from: bytes, into: target)
    case 3, 4:
      unsafe readQuads(
        isSigned: false, table, tables: tables, count: count, from: bytes, into: target)
    case 5, 6:
      unsafe readPairs(
        isSigned: true, table, tables: tables, count: count, from: bytes, into: target)
    case 11:
      return unsafe readEscapedPairs(table, tables: tables, count: count, from: bytes, into: target)
    default:
      unsafe readPairs(
        isSigned: false, table, tables: tables, count: count, from: bytes, into: target)
    }
    return true
  }

  /// Returns at least the next 57 bits, in the highest bits of the result.
  @inline(__always)
  private func window(_ position: Int, _ bytes: UnsafeRawPointer) -> UInt64 {
    guard position <= lastFullLoadPosition else { return unsafe lastWindow(position, bytes) }
    let word = unsafe bytes.loadUnaligned(fromByteOffset: position &>> 3, as: UInt64.self)
    return word.bigEndian &<< UInt64(position & 7)
  }

  /// Returns the same as `window`, for fewer than eight remaining bytes.
  @inline(never)
  private func lastWindow(_ position: Int, _ bytes: UnsafeRawPointer) -> UInt64 {
    var word: UInt64 = 0
    for byte in position >> 3..<position >> 3 + 8 {
      let value =
        byte < (end + 7) >> 3 ? unsafe bytes.load(fromByteOffset: byte, as: UInt8.self) : 0
      word = word << 8 | UInt64(value)
    }
    return word << UInt64(position & 7)
  }

  /// Returns the table's entry for the codeword in the top bits of `word`.
  ///
  /// Links stay inside the table, so no bounds are checked.
  @inline(__always)
  private static func entry(_ word: UInt64, _ table: UnsafePointer<UInt32>) -> UInt64 {
    let entry = unsafe UInt64(table[Int(truncatingIfNeeded: word &>> 56)])
    if entry & 0x100 == 0 { return entry }
    let rest = (word &<< 8) &>> (64 &- entry & 31)
    return unsafe UInt64(table[Int(truncatingIfNeeded: entry &>> 16 &+ rest)])
  }

  /// Returns the length of a codeword, including sign bits with unsigned books.
  @inline(__always)
  private static func length(_ entry: UInt64, isSigned: Bool) -> UInt64 {
    isSigned ? entry & 31 : entry & 31 &+ (entry &>> 5) & 7
  }

  /// Reads lines with books 1…4: four lines in a codeword of at most 20 bits.
  @inline(__always)
  private mutating func readQuads(
    isSigned: Bool, _ table: UnsafePointer<UInt32>, tables: SpectralTables.Pointers, count: Int,
    from bytes: UnsafeRawPointer, into lines: UnsafeMutableRawPointer
  ) {
    let (quads, signs) = unsafe (tables.quads(isSigned: isSigned), tables.quadSigns)
    var position = next
    var line = 0
    while line < count {
      var word = unsafe window(position, bytes)
      // Two codewords per window, if two remain.
      var left = count &- line > 4 ? 2 : 1
      while left > 0 {
        let entry = unsafe Self.entry(word, table)
        let length = Self.length(entry, isSigned: isSigned)
        position &+= Int(truncatingIfNeeded: length)
        var values = unsafe quads[Int(truncatingIfNeeded: entry &>> 16)]
        if !isSigned {
          let next = (word &<< (entry & 31)) &>> 60
          let mask = unsafe signs[Int(truncatingIfNeeded: entry &>> 5 & 0xF0 | next)]
          values = (values ^ mask) &+ (mask & 0x0001_0001_0001_0001)
        }
        unsafe lines.storeBytes(of: values, toByteOffset: 2 &* line, as: UInt64.self)
        word = word &<< length
        line &+= 4
        left &-= 1
      }
    }
    next = position
  }

  /// Reads lines with books 5…10: two lines in a codeword of at most 17 bits.
  ///
  /// Two codewords are decoded at a time.
  @inline(__always)
  private mutating func readPairs(
    isSigned: Bool, _ table: UnsafePointer<UInt32>, tables: SpectralTables.Pointers, count: Int,
    from bytes: UnsafeRawPointer, into lines: UnsafeMutableRawPointer
  ) {
    let signs = unsafe tables.pairSigns
    var position = next
    var line = 0
    while line < count {
      let word = unsafe window(position, bytes)
      let first = unsafe Self.entry(word, table)
      let length = Self.length(first, isSigned: isSigned)
      let rest = word &<< length
      let second = unsafe Self.entry(rest, table)
      position &+= Int(truncatingIfNeeded: length &+ Self.length(second, isSigned: isSigned))
      let (a, b) = unsafe (
        Self.pair(first, word, isSigned: isSigned, signs: signs),
        Self.pair(second, rest, isSigned: isSigned, signs: signs)
      )
      unsafe lines.storeBytes(
        of: UInt64(a) | UInt64(b) &<< 32, toByteOffset: 2 &* line, as: UInt64.self)
      line &+= 4
    }
    next = position
  }

  /// Returns the two lines of an entry for the codeword in the top bits of `word`.
  @inline(__always)
  private static func pair(
    _ entry: UInt64, _ word: UInt64, isSigned: Bool, signs: UnsafePointer<UInt32>
  ) -> UInt32 {
    let entry32 = UInt32(truncatingIfNeeded: entry)
    if isSigned {
      let first = UInt32(bitPattern: Int32(bitPattern: entry32) &>> 24) & 0xFFFF
      return first | UInt32(bitPattern: Int32(bitPattern: entry32 &<< 8) &>> 24) &<< 16
    }
    // A pair uses the two upper bits of `nonzero`.
    let next = (word &<< (entry & 31)) &>> 62
    let mask = unsafe signs[Int(truncatingIfNeeded: entry &>> 9 & 0xC | next)]
    return ((entry32 &>> 24 | entry32 & 0xFF_0000) ^ mask) &+ (mask & 0x0001_0001)
  }

  /// Reads lines with book 11: two lines in a codeword, large ones with an escape sequence.
  private mutating func readEscapedPairs(
    _ table: UnsafePointer<UInt32>, tables: SpectralTables.Pointers, count: Int,
    from bytes: UnsafeRawPointer, into lines: UnsafeMutableRawPointer
  ) -> Bool {
    let signs = unsafe tables.pairSigns
    var position = next
    defer { next = position }
    var line = 0
    while line < count {
      let word = unsafe window(position, bytes)
      let entry = unsafe Self.entry(word, table)
      position &+= Int(truncatingIfNeeded: Self.length(entry, isSigned: false))
      var first = UInt32(truncatingIfNeeded: entry &>> 24)
      var second = UInt32(truncatingIfNeeded: entry &>> 16) & 0xFF
      if max(first, second) == UInt32(Codebook.escapeMark) {
        if first == second {
          first = unsafe readEscape(&position, bytes)
          second = unsafe readEscape(&position, bytes)
        } else if first > second {
          first = unsafe readEscape(&position, bytes)
        } else {
          second = unsafe readEscape(&position, bytes)
        }
        if max(first, second) > 8191 { return false }
      }
      let next = (word &<< (entry & 31)) &>> 62
      let mask = unsafe signs[Int(truncatingIfNeeded: entry &>> 9 & 0xC | next)]
      let values = ((first | second &<< 16) ^ mask) &+ (mask & 0x0001_0001)
      unsafe lines.storeBytes(of: values, toByteOffset: 2 &* line, as: UInt32.self)
      line &+= 2
    }
    return true
  }

  /// Reads an escape sequence: N ones, a zero, and the N + 4 bits below a leading one.
  ///
  /// Returns all ones if the magnitude exceeds 8191.
  private func readEscape(_ position: inout Int, _ bytes: UnsafeRawPointer) -> UInt32 {
    let word = unsafe window(position, bytes)
    let ones = (~word).leadingZeroBitCount
    if ones > 8 { return .max }
    position &+= 2 &* ones &+ 5
    let rest = (word &<< UInt64(ones &+ 1)) &>> UInt64(60 &- ones)
    return 1 &<< UInt32(ones &+ 4) | UInt32(truncatingIfNeeded: rest)
  }

  private mutating func skip(
    _ codebook: Int, table: UnsafePointer<UInt32>, count: Int, in bytes: UnsafeRawPointer
  ) -> Bool {
    let isSigned = Codebook.hasSigns(codebook)
    var position = next
    defer { next = position }
    var line = 0
    while line < count {
      let entry = unsafe Self.entry(window(position, bytes), table)
      position &+= Int(truncatingIfNeeded: Self.length(entry, isSigned: isSigned))
      line &+= Codebook.hasQuads(codebook) ? 4 : 2
      guard codebook == Int(Codebook.escape) else { continue }
      let first = UInt32(truncatingIfNeeded: entry &>> 24)
      let second = UInt32(truncatingIfNeeded: entry &>> 16) & 0xFF
      if first == Codebook.escapeMark, unsafe readEscape(&position, bytes) > 8191 { return false }
      if second == Codebook.escapeMark, unsafe readEscape(&position, bytes) > 8191 { return false }
    }
    return true
  }
}
