/// The codewords of books 1…11 including signs (ISO/IEC 14496-3, 4.6.3).
///
/// Digits may be negative in every book, so that a tuple takes one lookup. Its index is relative to
/// the index of the all-zero tuple: the first digit times the number of digits, plus the next digit,
/// and so on. An escape is the digit 16; its extra bits are not included.
struct Codewords: Sendable {
  /// The entries of all books, one book after another.
  ///
  /// An entry contains the length in the top 8 bits and the codeword in the low 24 bits.
  private(set) var words: [UInt32] = []

  init() {
    words.reserveCapacity(Self.zero(book: Codebook.all.upperBound) + 545)
    for book in Codebook.all { append(book) }
  }

  /// Returns the index of a book's all-zero tuple.
  @inline(__always)
  static func zero(book: Int) -> Int {
    switch book {
    case 1: 40
    case 2: 81 + 40
    case 3: 162 + 312
    case 4: 787 + 312
    case 5: 1412 + 40
    case 6: 1493 + 40
    case 7: 1574 + 112
    case 8: 1799 + 112
    case 9: 2024 + 312
    case 10: 2649 + 312
    default: 3274 + 544
    }
  }

  /// Returns the bits of four lines, none too large for the book: a quad, or two pairs.
  func bits(_ a: Int, _ b: Int, _ c: Int, _ d: Int, book: Int) -> Int {
    guard Codebook.hasQuads(book) else { return bits(a, b, book: book) + bits(c, d, book: book) }
    let digits = 2 * Codebook.largestMagnitude(book) + 1
    return bits(((a * digits + b) * digits + c) * digits + d, book)
  }

  /// Returns the bits of a pair, in a book of pairs.
  func bits(_ a: Int, _ b: Int, book: Int) -> Int {
    bits(a * (2 * Codebook.largestMagnitude(book) + 1) + b, book)
  }

  private func bits(_ index: Int, _ book: Int) -> Int {
    Int(words[Self.zero(book: book) + index] >> 24)
  }

  private mutating func append(_ book: Int) {
    let largest = Codebook.largestMagnitude(book)
    let digits = -largest...largest
    let words = SpectralCodewords.words(of: book)
    for a in digits {
      for b in digits {
        guard Codebook.hasQuads(book) else {
          append([a, b], from: words, book: book, largest: largest)
          continue
        }
        for c in digits {
          for d in digits { append([a, b, c, d], from: words, book: book, largest: largest) }
        }
      }
    }
  }

  private mutating func append(_ tuple: [Int], from codewords: [UInt32], book: Int, largest: Int) {
    let isSigned = Codebook.hasSigns(book)
    var index = 0
    var signs: UInt32 = 0
    var signCount: UInt32 = 0
    for value in tuple {
      index =
        isSigned
        ? index * (2 * largest + 1) + value + largest : index * (largest + 1) + abs(value)
      if !isSigned && value != 0 {
        signs = signs << 1 | (value < 0 ? 1 : 0)
        signCount += 1
      }
    }
    let word = codewords[index]
    let length = word >> 24 + signCount
    words.append(length << 24 | (word & 0xFFFF) << signCount | signs)
  }
}
