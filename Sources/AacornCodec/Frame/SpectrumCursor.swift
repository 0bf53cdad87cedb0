/// Reads the codewords of a spectrum (ISO/IEC 14496-3, 4.6.3.3) at a position of its own, which
/// stays in a register; past the end it reads zeros.
struct SpectrumCursor {
  /// The next bit; beyond the end after an overrun.
  private(set) var next: Int
  /// One past the last bit.
  private let end: Int
  /// The last position at which eight bytes can be loaded at once.
  private let lastWhole: Int

  /// Begins where `bits` stands.
  init(_ bits: BitReader) {
    next = bits.position
    end = bits.endBit
    lastWhole = end / 8 * 8 - 57
  }

  /// Reads `count` lines of one band with codebook 1…11; false at an escape sequence for more than
  /// 8191.
  ///
  /// They are in `bytes`, those of the reader, and go to `lines`; with nil they are passed over.
  @inline(__always)
  mutating func read(
    _ codebook: Int, _ count: Int, _ bytes: UnsafeRawPointer,
    into lines: UnsafeMutablePointer<Int32>?
  ) -> Bool {
    let table = DecodingTables.spectral(codebook)
    // Constants let the compiler make a loop for each kind of book.
    switch codebook {
    case 1, 2: unsafe readQuads(isSigned: true, table, count, bytes, lines)
    case 3, 4: unsafe readQuads(isSigned: false, table, count, bytes, lines)
    case 5, 6: unsafe readPairs(isSigned: true, table, count, bytes, lines)
    case 11: return unsafe readEscapedPairs(table, count, bytes, lines)
    default: unsafe readPairs(isSigned: false, table, count, bytes, lines)
    }
    return true
  }

  /// The next 32 bits.
  @inline(__always)
  private func next32(_ bytes: UnsafeRawPointer) -> UInt32 {
    guard next <= lastWhole else { return unsafe last32(bytes) }
    let word = unsafe bytes.loadUnaligned(fromByteOffset: next &>> 3, as: UInt64.self)
    return UInt32(truncatingIfNeeded: (word.bigEndian &<< UInt64(next & 7)) &>> 32)
  }

  /// Like `next32`, where fewer than eight bytes are left.
  @inline(never)
  private func last32(_ bytes: UnsafeRawPointer) -> UInt32 {
    var word: UInt64 = 0
    for byte in next >> 3..<next >> 3 + 8 {
      let value =
        byte < (end + 7) >> 3 ? unsafe bytes.load(fromByteOffset: byte, as: UInt8.self) : 0
      word = word << 8 | UInt64(value)
    }
    return UInt32(truncatingIfNeeded: (word << UInt64(next & 7)) >> 32)
  }

  /// The table's entry for the codeword at the top of `next`; links stay inside the table.
  @inline(__always)
  private func entry(_ next: UInt32, _ table: UnsafePointer<UInt32>) -> UInt32 {
    let entry = unsafe table[Int(next &>> 24)]
    if entry & 0x100 == 0 { return entry }
    let rest = (next &<< 8) &>> (32 &- entry & 31)
    return unsafe table[Int(entry &>> 16 &+ rest)]
  }

  /// Books 1…4: four lines in a codeword.
  @inline(__always)
  private mutating func readQuads(
    isSigned: Bool, _ table: UnsafePointer<UInt32>, _ count: Int, _ bytes: UnsafeRawPointer,
    _ lines: UnsafeMutablePointer<Int32>?
  ) {
    var line = 0
    while line < count {
      let word = unsafe next32(bytes)
      let entry = unsafe entry(word, table)
      let length = entry & 31
      next &+= Int(isSigned ? length : length &+ (entry &>> 5) & 7)
      if let lines = unsafe lines, entry &>> 16 != 0 {
        var signs = word &<< length
        for offset in 0..<4 {
          let value = Int32(bitPattern: entry &<< UInt32(4 &* offset)) &>> 28
          unsafe lines[line &+ offset] = isSigned ? value : Self.applySign(&signs, to: value)
        }
      }
      line &+= 4
    }
  }

  /// Books 5…10: two lines in a codeword.
  @inline(__always)
  private mutating func readPairs(
    isSigned: Bool, _ table: UnsafePointer<UInt32>, _ count: Int, _ bytes: UnsafeRawPointer,
    _ lines: UnsafeMutablePointer<Int32>?
  ) {
    var line = 0
    while line < count {
      let word = unsafe next32(bytes)
      let entry = unsafe entry(word, table)
      let length = entry & 31
      next &+= Int(isSigned ? length : length &+ (entry &>> 5) & 7)
      if let lines = unsafe lines {
        let first = Int32(bitPattern: entry) &>> 24
        let second = Int32(bitPattern: entry &<< 8) &>> 24
        var signs = word &<< length
        unsafe lines[line] = isSigned ? first : Self.applySign(&signs, to: first)
        unsafe lines[line &+ 1] = isSigned ? second : Self.applySign(&signs, to: second)
      }
      line &+= 2
    }
  }

  /// Book 11: two lines in a codeword, each with an escape sequence if it is large.
  private mutating func readEscapedPairs(
    _ table: UnsafePointer<UInt32>, _ count: Int, _ bytes: UnsafeRawPointer,
    _ lines: UnsafeMutablePointer<Int32>?
  ) -> Bool {
    var line = 0
    while line < count {
      let word = unsafe next32(bytes)
      let entry = unsafe entry(word, table)
      let length = entry & 31
      next &+= Int(length &+ (entry &>> 5) & 7)
      var first = Int32(bitPattern: entry) &>> 24
      var second = Int32(bitPattern: entry &<< 8) &>> 24
      if first == Codebook.escapeMark { first = unsafe readEscape(bytes) }
      if second == Codebook.escapeMark { second = unsafe readEscape(bytes) }
      if first < 0 || second < 0 { return false }
      if let lines = unsafe lines {
        var signs = word &<< length
        unsafe lines[line] = Self.applySign(&signs, to: first)
        unsafe lines[line &+ 1] = Self.applySign(&signs, to: second)
      }
      line &+= 2
    }
    return true
  }

  /// Applies a sign from the top of `signs` if `value` is not zero; without branches, because signs
  /// are random.
  @inline(__always)
  private static func applySign(_ signs: inout UInt32, to value: Int32) -> Int32 {
    let isCoded: UInt32 = value == 0 ? 0 : 1
    let mask = Int32(bitPattern: signs) &>> 31
    signs = signs &<< isCoded
    // Zero stays zero whatever the mask.
    return (value ^ mask) &- mask
  }

  /// An escape sequence: N ones, a zero, and the N + 4 bits below a leading one; negative if it
  /// stands for more than 8191.
  private mutating func readEscape(_ bytes: UnsafeRawPointer) -> Int32 {
    let word = unsafe next32(bytes)
    let ones = (~word).leadingZeroBitCount
    if ones > 8 { return -1 }
    next &+= 2 &* ones &+ 5
    let rest = (word &<< UInt32(ones &+ 1)) &>> UInt32(28 &- ones)
    return Int32(1) &<< Int32(ones &+ 4) | Int32(truncatingIfNeeded: rest)
  }
}
