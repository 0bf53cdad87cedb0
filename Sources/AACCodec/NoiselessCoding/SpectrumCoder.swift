import AACFormat

/// Spectral data: what quantised lines cost in each codebook, and their codewords
/// (ISO/IEC 14496-3, 4.6.3).
enum SpectrumCoder {
  /// The first of the two books that suit lines of at most this magnitude.
  @inline(__always)
  static func firstBook(magnitude: Int32) -> Int {
    switch magnitude {
    case ...0: 0
    case 1: 1
    case 2: 3
    case ...4: 5
    case ...7: 7
    case ...12: 9
    default: 11
    }
  }

  /// Bits of `count` lines from `start` in books `firstBook` (low half) and the next (high half).
  ///
  /// For book 11 both halves are the same. `count` is a multiple of four.
  @inline(__always)
  static func bits(
    _ quantized: UnsafePointer<Int32>, _ start: Int, _ count: Int, firstBook: Int,
    _ costs: UnsafePointer<UInt32>
  ) -> UInt32 {
    let q = unsafe quantized + start
    switch firstBook {
    case 1: return unsafe quadBits(q, count, costs + CodeTables.costs1, signed: true)
    case 3: return unsafe quadBits(q, count, costs + CodeTables.costs3, signed: false)
    case 5: return unsafe pairBits(q, count, costs + CodeTables.costs5, base: 9, signed: true)
    case 7: return unsafe pairBits(q, count, costs + CodeTables.costs7, base: 8, signed: false)
    case 9: return unsafe pairBits(q, count, costs + CodeTables.costs9, base: 13, signed: false)
    case 11: return unsafe escapeBits(q, count, costs + CodeTables.costs11)
    default: return 0
    }
  }

  @inline(__always)
  private static func quadBits(
    _ q: UnsafePointer<Int32>, _ count: Int, _ costs: UnsafePointer<UInt32>, signed: Bool
  ) -> UInt32 {
    var sum: UInt32 = 0
    var n = 0
    while n < count {
      let index =
        unsafe signed
        ? 27 &* q[n] &+ 9 &* q[n + 1] &+ 3 &* q[n + 2] &+ q[n + 3] &+ 40
        : 27 &* abs(q[n]) &+ 9 &* abs(q[n + 1]) &+ 3 &* abs(q[n + 2]) &+ abs(q[n + 3])
      unsafe sum &+= costs[Int(index)]
      n &+= 4
    }
    return sum
  }

  @inline(__always)
  private static func pairBits(
    _ q: UnsafePointer<Int32>, _ count: Int, _ costs: UnsafePointer<UInt32>, base: Int32,
    signed: Bool
  ) -> UInt32 {
    var sum: UInt32 = 0
    var n = 0
    while n < count {
      let index =
        unsafe signed
        ? base &* q[n] &+ q[n + 1] &+ 40 : base &* abs(q[n]) &+ abs(q[n + 1])
      unsafe sum &+= costs[Int(index)]
      n &+= 2
    }
    return sum
  }

  @inline(__always)
  private static func escapeBits(
    _ q: UnsafePointer<Int32>, _ count: Int, _ costs: UnsafePointer<UInt32>
  ) -> UInt32 {
    var sum: UInt32 = 0
    var n = 0
    while n < count {
      let a = unsafe abs(q[n])
      let b = unsafe abs(q[n + 1])
      unsafe sum &+= costs[Int(min(a, 16) &* 17 &+ min(b, 16))]
      if a >= 16 { sum &+= escapeLength(a) &* 0x1_0001 }
      if b >= 16 { sum &+= escapeLength(b) &* 0x1_0001 }
      n &+= 2
    }
    return sum
  }

  /// Bits of the escape sequence of a magnitude ≥ 16: 2N + 5 with N = ⌊log₂ v⌋ − 4.
  @inline(__always)
  private static func escapeLength(_ magnitude: Int32) -> UInt32 {
    UInt32(truncatingIfNeeded: 2 &* (31 &- magnitude.leadingZeroBitCount) &- 3)
  }

  /// Writes `count` lines from `start` in codebook `book`, 1…11.
  static func write(
    _ quantized: [Int32], _ start: Int, _ count: Int, book: Int, _ tables: CodeTables,
    to sink: inout BitWriter
  ) {
    precondition(start >= 0 && start + count <= quantized.count && book >= 1 && book <= 11)
    unsafe quantized.withUnsafeBufferPointer { buffer in
      guard let base = buffer.baseAddress else { return }
      let q = unsafe base + start
      let offset = CodeTables.wordOffset(book: book)
      unsafe tables.words.withUnsafeBufferPointer { words in
        guard let first = words.baseAddress else { return }
        let words = unsafe first + offset
        switch book {
        case 1, 2: unsafe writeSignedQuads(q, count, words, &sink)
        case 3, 4: unsafe writeQuads(q, count, words, &sink)
        case 5, 6: unsafe writeSignedPairs(q, count, words, &sink)
        case 7, 8: unsafe writePairs(q, count, words, base: 8, &sink)
        case 9, 10: unsafe writePairs(q, count, words, base: 13, &sink)
        default: unsafe writeEscapes(q, count, words, &sink)
        }
      }
    }
  }

  @inline(__always)
  private static func put(_ word: UInt32, _ sink: inout BitWriter) {
    sink.put(word & 0xFFFF, count: Int(word >> 16))
  }

  private static func writeSignedQuads(
    _ q: UnsafePointer<Int32>, _ count: Int, _ words: UnsafePointer<UInt32>,
    _ sink: inout BitWriter
  ) {
    for n in stride(from: 0, to: count, by: 4) {
      let index = unsafe 27 &* q[n] &+ 9 &* q[n + 1] &+ 3 &* q[n + 2] &+ q[n + 3] &+ 40
      put(unsafe words[Int(index)], &sink)
    }
  }

  private static func writeQuads(
    _ q: UnsafePointer<Int32>, _ count: Int, _ words: UnsafePointer<UInt32>,
    _ sink: inout BitWriter
  ) {
    for n in stride(from: 0, to: count, by: 4) {
      var index: Int32 = 0
      var signs: UInt32 = 0
      var signCount = 0
      for i in n..<n + 4 {
        let value = unsafe q[i]
        index = index &* 3 &+ abs(value)
        if value != 0 {
          signs = signs &<< 1 | UInt32(truncatingIfNeeded: value) &>> 31
          signCount &+= 1
        }
      }
      let word = unsafe words[Int(index)]
      sink.put(
        (word & 0xFFFF) &<< UInt32(truncatingIfNeeded: signCount) | signs,
        count: Int(word >> 16) &+ signCount)
    }
  }

  private static func writeSignedPairs(
    _ q: UnsafePointer<Int32>, _ count: Int, _ words: UnsafePointer<UInt32>,
    _ sink: inout BitWriter
  ) {
    for n in stride(from: 0, to: count, by: 2) {
      put(unsafe words[Int(9 &* q[n] &+ q[n + 1] &+ 40)], &sink)
    }
  }

  /// The codeword of a pair with its signs appended.
  @inline(__always)
  private static func put(pair a: Int32, _ b: Int32, word: UInt32, _ sink: inout BitWriter) {
    var value = word & 0xFFFF
    var length = Int(word >> 16)
    if a != 0 {
      value = value &<< 1 | UInt32(truncatingIfNeeded: a) &>> 31
      length &+= 1
    }
    if b != 0 {
      value = value &<< 1 | UInt32(truncatingIfNeeded: b) &>> 31
      length &+= 1
    }
    sink.put(value, count: length)
  }

  private static func writePairs(
    _ q: UnsafePointer<Int32>, _ count: Int, _ words: UnsafePointer<UInt32>, base: Int32,
    _ sink: inout BitWriter
  ) {
    for n in stride(from: 0, to: count, by: 2) {
      let (a, b) = unsafe (q[n], q[n + 1])
      put(pair: a, b, word: unsafe words[Int(base &* abs(a) &+ abs(b))], &sink)
    }
  }

  private static func writeEscapes(
    _ q: UnsafePointer<Int32>, _ count: Int, _ words: UnsafePointer<UInt32>,
    _ sink: inout BitWriter
  ) {
    for n in stride(from: 0, to: count, by: 2) {
      let (a, b) = unsafe (q[n], q[n + 1])
      put(pair: a, b, word: unsafe words[Int(min(abs(a), 16) &* 17 &+ min(abs(b), 16))], &sink)
      putEscape(abs(a), &sink)
      putEscape(abs(b), &sink)
    }
  }

  /// N ones, a zero, then the N + 4 low bits of the magnitude.
  @inline(__always)
  private static func putEscape(_ magnitude: Int32, _ sink: inout BitWriter) {
    guard magnitude >= 16 else { return }
    let ones = 27 &- magnitude.leadingZeroBitCount
    sink.put((1 &<< UInt32(ones &+ 1)) &- 2, count: ones &+ 1)
    let bits = ones &+ 4
    sink.put(UInt32(magnitude) & ((1 &<< UInt32(bits)) &- 1), count: bits)
  }
}
