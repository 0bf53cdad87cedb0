import AacornSignal

/// The codebooks in the encoder's form: flat arrays that kernels read through pointers.
///
/// They are built from the static tables element by element. Passing a whole static array would
/// make the compiler guard it with a lock on first use.
struct CodeTables: Sendable {
  /// The bits of tuples of magnitudes in two books with the same largest magnitude.
  ///
  /// The odd book's cost is in the lower sixteen bits, the even book's in the upper. If a book's
  /// codewords include signs, a few lengths depend on the signs by one bit; the costs are means.
  private(set) var costs: [UInt32] = []
  let codewords: Codewords
  /// Costs of tuples in many books at once.
  let bookCosts: BookCosts
  /// 2^(−3/16·(sf − 100)) for scalefactors 0…255: the quantizer's factors of |x|^¾.
  private(set) var quantizerSteps: [Float] = []
  /// 2^((sf − 100)/4) for scalefactors 0…255: the decoder's factors.
  ///
  /// The last bit differs from `Dequantizer.gain` at 64 scalefactors. Other values would change the
  /// encoder's decisions.
  private(set) var decoderSteps: [Float] = []
  /// q^(4/3) for 0…8191.
  private(set) var powers: [Float] = []

  /// The start indices of the costs of books 1+2, 3+4, 5+6, 7+8, 9+10 and 11.
  static let costs1: Int = 0
  static let costs3: Int = 81
  static let costs5: Int = 162
  static let costs7: Int = 187
  static let costs9: Int = 251
  static let costs11: Int = 420

  init() {
    codewords = Codewords()
    bookCosts = BookCosts(codewords)
    costs.reserveCapacity(709)
    for (book, digits) in [(1, 3), (3, 3), (5, 5), (7, 8), (9, 13), (11, 17)] {
      let last = Codebook.hasQuads(book) ? digits * digits : 1
      for first in 0..<digits * digits {
        for second in 0..<last {
          appendCost(book: book, digits: digits, first: first, second: second)
        }
      }
    }
    for scaleFactor in 0..<256 {
      let exponent = Float(scaleFactor - 100)
      quantizerSteps.append(ElementaryFunctions.exp2(exponent * -0.1875))
      decoderSteps.append(ElementaryFunctions.exp2(exponent * 0.25))
    }
    powers.reserveCapacity(8192)
    for q in 0...8191 { powers.append(Dequantizer.power(Int32(q))) }
  }

  /// Appends the costs of a tuple in `book` and the next book, averaged over signs.
  private mutating func appendCost(book: Int, digits: Int, first: Int, second: Int) {
    let (a, b) = (first / digits, first % digits)
    let (c, d) = (second / digits, second % digits)
    var packed: UInt32 = 0
    // If a digit exceeds the book's range, the tuple is in neither book.
    if max(max(a, b), max(c, d)) <= Codebook.largestMagnitude(book) {
      for (shift, book) in [(0 as UInt32, book), (16, min(Codebook.all.upperBound, book + 1))] {
        // In books 1, 2, 5 and 6 a codeword includes the signs, so its length may depend on them.
        let variants = Codebook.hasSigns(book) ? 16 : 1
        var sum = variants / 2
        for signs in 0..<variants {
          let (x, y) = (signs & 1 == 0 ? a : -a, signs & 2 == 0 ? b : -b)
          let (z, w) = (signs & 4 == 0 ? c : -c, signs & 8 == 0 ? d : -d)
          sum +=
            Codebook.hasQuads(book)
            ? codewords.bits(x, y, z, w, book: book) : codewords.bits(x, y, book: book)
        }
        packed |= UInt32(sum / variants) << shift
      }
    }
    costs.append(packed)
  }
}
