/// Spectral data: the costs of quantized lines in each codebook, and their codewords (ISO/IEC
/// 14496-3, 4.6.3).
enum SpectrumCoder {
  /// The first of the two books that suit lines up to this magnitude.
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

  /// The length in bits of a magnitude's escape sequence: 2N + 5 with N = ⌊log₂ v⌋ − 4, none below
  /// 16.
  @inline(__always)
  static func escapeLength(_ magnitude: Int32) -> UInt32 {
    guard magnitude >= 16 else { return 0 }
    return UInt32(truncatingIfNeeded: 2 &* (31 &- magnitude.leadingZeroBitCount) &- 3)
  }

  /// Writes the lines of all bands with a codebook 1…11.
  static func write(
    _ quantized: [Int32], _ offsets: [Int], _ books: [UInt8], bandCount: Int,
    _ tables: CodeTables, to sink: inout BitWriter
  ) {
    precondition(bandCount < offsets.count && bandCount <= books.count)
    precondition(offsets[bandCount] <= quantized.count)
    unsafe withUnsafePointers(quantized, tables.codewords.words) { lines, words in
      unsafe sink.withUncheckedCursor(fieldCount: fieldBound(offsets[bandCount])) { cursor in
        for band in 0..<bandCount {
          let book = Int(books[band])
          guard book != 0 && book <= Int(Codebook.escape) else { continue }
          let start = offsets[band]
          unsafe write(lines + start, offsets[band + 1] &- start, book: book, words, &cursor)
        }
      }
    }
  }

  /// The most fields that lines can take, whatever their values.
  ///
  /// A pair is a codeword and two escapes of two fields each, and bands have whole pairs.
  private static func fieldBound(_ lineCount: Int) -> Int { lineCount / 2 * 5 }

  @inline(__always)
  private static func withUnsafePointers(
    _ lines: [Int32], _ words: [UInt32],
    _ body: (UnsafePointer<Int32>, UnsafePointer<UInt32>) -> Void
  ) {
    unsafe lines.withUnsafeBufferPointer { lines in
      unsafe words.withUnsafeBufferPointer { words in
        guard let first = lines.baseAddress, let word = words.baseAddress else { return }
        unsafe body(first, word)
      }
    }
  }

  @inline(__always)
  private static func write(
    _ q: UnsafePointer<Int32>, _ count: Int, book: Int, _ words: UnsafePointer<UInt32>,
    _ cursor: inout BitWriter.UncheckedCursor
  ) {
    let zero = unsafe words + Codewords.zero(book: book)
    switch book {
    case 1, 2: unsafe writeQuads(q, count, zero, digits: 3, &cursor)
    case 3, 4: unsafe writeQuads(q, count, zero, digits: 5, &cursor)
    case 5, 6: unsafe writePairs(q, count, zero, digits: 9, &cursor)
    case 7, 8: unsafe writePairs(q, count, zero, digits: 15, &cursor)
    case 9, 10: unsafe writePairs(q, count, zero, digits: 25, &cursor)
    default: unsafe writeEscapes(q, count, zero, &cursor)
    }
  }

  @inline(__always)
  private static func put(_ word: UInt32, _ cursor: inout BitWriter.UncheckedCursor) {
    unsafe cursor.put(word & 0xFF_FFFF, count: Int(word >> 24))
  }

  @inline(__always)
  private static func writeQuads(
    _ q: UnsafePointer<Int32>, _ count: Int, _ zero: UnsafePointer<UInt32>, digits: Int,
    _ cursor: inout BitWriter.UncheckedCursor
  ) {
    var n = 0
    while n < count {
      let first = unsafe Int(q[n]) &* digits &+ Int(q[n &+ 1])
      let second = unsafe Int(q[n &+ 2]) &* digits &+ Int(q[n &+ 3])
      put(unsafe zero[first &* (digits &* digits) &+ second], &cursor)
      n &+= 4
    }
  }

  @inline(__always)
  private static func writePairs(
    _ q: UnsafePointer<Int32>, _ count: Int, _ zero: UnsafePointer<UInt32>, digits: Int,
    _ cursor: inout BitWriter.UncheckedCursor
  ) {
    var n = 0
    while n < count {
      put(unsafe zero[Int(q[n]) &* digits &+ Int(q[n &+ 1])], &cursor)
      n &+= 2
    }
  }

  @inline(__always)
  private static func writeEscapes(
    _ q: UnsafePointer<Int32>, _ count: Int, _ zero: UnsafePointer<UInt32>,
    _ cursor: inout BitWriter.UncheckedCursor
  ) {
    var n = 0
    while n < count {
      let (a, b) = unsafe (q[n], q[n &+ 1])
      let (first, second) = (max(-16, min(16, a)), max(-16, min(16, b)))
      put(unsafe zero[Int(first) &* 33 &+ Int(second)], &cursor)
      putEscape(abs(a), &cursor)
      putEscape(abs(b), &cursor)
      n &+= 2
    }
  }

  /// N ones, a zero, then the N + 4 low bits of the magnitude.
  @inline(__always)
  private static func putEscape(_ magnitude: Int32, _ cursor: inout BitWriter.UncheckedCursor) {
    guard magnitude >= 16 else { return }
    let ones = 27 &- magnitude.leadingZeroBitCount
    unsafe cursor.put((1 &<< UInt32(ones &+ 1)) &- 2, count: ones &+ 1)
    let bits = ones &+ 4
    unsafe cursor.put(UInt32(magnitude) & ((1 &<< UInt32(bits)) &- 1), count: bits)
  }
}
