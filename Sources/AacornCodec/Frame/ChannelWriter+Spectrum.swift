extension ChannelWriter where Bits == BitWriter {
  /// Writes spectral_data (ISO/IEC 14496-3, table 4.56): the lines of bands with a codebook 1…11.
  mutating func writeSpectrum(
    _ quantized: [Int32], offsets: [Int], codebooks: [UInt8], bandCount: Int, codewords: Codewords
  ) {
    precondition(bandCount < offsets.count && bandCount <= codebooks.count)
    precondition(offsets[bandCount] <= quantized.count)
    unsafe Self.withUnsafePointers(quantized, codewords.words) { lines, words in
      let bound = Self.fieldBound(offsets[bandCount])
      unsafe bits.withUncheckedCursor(fieldCount: bound) { cursor in
        for band in 0..<bandCount where Codebook.hasCodewords(codebooks[band]) {
          let start = offsets[band]
          unsafe Self.writeBand(
            lines + start, count: offsets[band + 1] &- start, book: Int(codebooks[band]),
            words: words, to: &cursor)
        }
      }
    }
  }

  /// Returns the maximum number of fields for a number of lines.
  ///
  /// A pair is a codeword and two escapes of two fields each, and bands consist of whole pairs.
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
  private static func writeBand(
    _ q: UnsafePointer<Int32>, count: Int, book: Int, words: UnsafePointer<UInt32>,
    to cursor: inout BitWriter.UncheckedCursor
  ) {
    let zero = unsafe words + Codewords.zero(book: book)
    switch book {
    case 1, 2: unsafe writeQuads(q, count: count, words: zero, digits: 3, to: &cursor)
    case 3, 4: unsafe writeQuads(q, count: count, words: zero, digits: 5, to: &cursor)
    case 5, 6: unsafe writePairs(q, count: count, words: zero, digits: 9, to: &cursor)
    case 7, 8: unsafe writePairs(q, count: count, words: zero, digits: 15, to: &cursor)
    case 9, 10: unsafe writePairs(q, count: count, words: zero, digits: 25, to: &cursor)
    default: unsafe writeEscapes(q, count: count, words: zero, to: &cursor)
    }
  }

  @inline(__always)
  private static func put(_ word: UInt32, _ cursor: inout BitWriter.UncheckedCursor) {
    unsafe cursor.put(word & 0xFF_FFFF, count: Int(word >> 24))
  }

  /// Writes lines with books 1…4: four lines per codeword.
  @inline(__always)
  private static func writeQuads(
    _ q: UnsafePointer<Int32>, count: Int, words zero: UnsafePointer<UInt32>, digits: Int,
    to cursor: inout BitWriter.UncheckedCursor
  ) {
    var n = 0
    while n < count {
      let first = unsafe Int(q[n]) &* digits &+ Int(q[n &+ 1])
      let second = unsafe Int(q[n &+ 2]) &* digits &+ Int(q[n &+ 3])
      put(unsafe zero[first &* (digits &* digits) &+ second], &cursor)
      n &+= 4
    }
  }

  /// Writes lines with books 5…10: two lines per codeword.
  @inline(__always)
  private static func writePairs(
    _ q: UnsafePointer<Int32>, count: Int, words zero: UnsafePointer<UInt32>, digits: Int,
    to cursor: inout BitWriter.UncheckedCursor
  ) {
    var n = 0
    while n < count {
      put(unsafe zero[Int(q[n]) &* digits &+ Int(q[n &+ 1])], &cursor)
      n &+= 2
    }
  }

  /// Writes lines with book 11: two lines per codeword, and escape sequences.
  @inline(__always)
  private static func writeEscapes(
    _ q: UnsafePointer<Int32>, count: Int, words zero: UnsafePointer<UInt32>,
    to cursor: inout BitWriter.UncheckedCursor
  ) {
    var n = 0
    while n < count {
      let (a, b) = unsafe (q[n], q[n &+ 1])
      let mark = Codebook.escapeMark
      let (first, second) = (max(-mark, min(mark, a)), max(-mark, min(mark, b)))
      put(unsafe zero[Int(first) &* 33 &+ Int(second)], &cursor)
      putEscape(abs(a), &cursor)
      putEscape(abs(b), &cursor)
      n &+= 2
    }
  }

  /// Writes an escape sequence: N ones, a zero, and the N + 4 low bits of the magnitude (4.6.3.3).
  @inline(__always)
  private static func putEscape(_ magnitude: Int32, _ cursor: inout BitWriter.UncheckedCursor) {
    guard magnitude >= Codebook.escapeMark else { return }
    let ones = 27 &- magnitude.leadingZeroBitCount
    unsafe cursor.put((1 &<< UInt32(ones &+ 1)) &- 2, count: ones &+ 1)
    let bits = ones &+ 4
    unsafe cursor.put(UInt32(magnitude) & ((1 &<< UInt32(bits)) &- 1), count: bits)
  }
}
