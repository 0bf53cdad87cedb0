/// A prefix code for consecutive numbers: a Huffman book of the standard.
struct PrefixCode: Sendable {
  /// The codewords, the first one for the smallest number.
  ///
  /// An entry contains the length in the top 8 bits and the codeword in the low 24 bits.
  private let words: [UInt32]
  /// The number of the first codeword.
  private let smallest: Int
  private let lookup: LookupTable

  init(smallest: Int, words: [UInt32]) {
    self.words = words
    self.smallest = smallest
    lookup = LookupTable(of: words, maxLinkWidth: 6) { index in
      UInt32(truncatingIfNeeded: smallest + index) << 16
    }
  }

  /// Reads one number.
  @inline(__always)
  func read(_ bits: inout BitReader) -> Int {
    let entry = lookup.entry(for: bits.next32)
    bits.skip(Int(entry & 31))
    return Int(Int32(bitPattern: entry) &>> 16)
  }

  /// Writes one number of the code.
  @inline(__always)
  func put(_ number: Int, to sink: inout some BitSink) {
    sink.put(codeword: words[number - smallest])
  }

  /// Returns the bits of one number of the code.
  @inline(__always)
  func bitCount(of number: Int) -> Int { Int(words[number - smallest] >> 24) }

  /// Returns whether the code contains a number.
  @inline(__always)
  func contains(_ number: Int) -> Bool { words.indices.contains(number - smallest) }
}

/// A table that converts the next bits of a stream to a symbol of a prefix code.
///
/// The table starts with one entry for each value of the next 8 bits. An entry is either a symbol
/// or a link to a later part of the table, for longer codewords:
///
///     31            16 15     9  8  7     5 4        0
///     [        symbol         ][0][ symbol][ length   ]   symbol, length of its codeword
///     [    offset    ][   0   ][1][   0   ][ more bits]   link, bits that index the part
///
/// A part can contain further links. Every code of the standard is complete, so there is no invalid
/// codeword, and indices stay inside the table.
struct LookupTable: Sendable {
  /// The entries of the table.
  private(set) var entries = [UInt32](repeating: 0, count: 1 << firstWidth)

  private static let firstWidth = 8

  /// Creates a table for codewords that have their length in the top 8 bits.
  ///
  /// - Parameters:
  ///   - words: The codewords.
  ///   - maxLinkWidth: The maximum number of bits that index a linked part.
  ///   - symbol: Returns the bits of the entry for a codeword, which leave room for the length.
  init(of words: [UInt32], maxLinkWidth: Int, symbol: (_ index: Int) -> UInt32) {
    // The longest codewords come first, since the first codeword of a part determines its size.
    for length in (1...24).reversed() {
      for (index, word) in words.enumerated() where word >> 24 == length {
        add(
          Int(word & 0xFF_FFFF), length: length, maxLinkWidth: maxLinkWidth,
          entry: symbol(index) | UInt32(length))
      }
    }
  }

  private mutating func add(_ code: Int, length: Int, maxLinkWidth: Int, entry: UInt32) {
    var (start, width, rest) = (0, Self.firstWidth, length)
    while rest > width {
      rest -= width
      let slot = start + code >> rest & (1 << width - 1)
      if entries[slot] == 0 {
        let linkWidth = min(rest, maxLinkWidth)
        entries[slot] = UInt32(entries.count) << 16 | UInt32(1 << 8 | linkWidth)
        entries.append(contentsOf: repeatElement(0, count: 1 << linkWidth))
      }
      start = Int(entries[slot] >> 16)
      width = Int(entries[slot] & 31)
    }
    let first = start + (code & (1 << rest - 1)) << (width - rest)
    for place in first..<first + 1 << (width - rest) { entries[place] = entry }
  }

  /// Returns the entry for the codeword in the top bits of `next`.
  @inline(__always)
  func entry(for next: UInt32) -> UInt32 {
    let entry = entries[Int(next &>> 24)]
    return entry & 0x100 == 0 ? entry : self.entry(for: next, after: entry)
  }

  /// Returns the entry for a codeword of more than 8 bits, after the first link.
  @inline(never)
  private func entry(for next: UInt32, after link: UInt32) -> UInt32 {
    var entry = link
    var taken: UInt32 = 8
    while entry & 0x100 != 0 {
      let more = entry & 31
      let rest = (next &<< taken) &>> (32 &- more)
      taken &+= more
      entry = entries[Int(entry &>> 16 &+ rest)]
    }
    return entry
  }
}
