/// The codebooks as one encoder uses them: flat arrays that a kernel can take as pointers.
///
/// They are copied from the static tables element by element. Handing a static array over whole
/// would make the compiler guard it with a lock on first use.
struct CodeTables: Sendable {
  /// Bits of tuples of magnitudes in two books that share a range, the odd one's in the lower
  /// sixteen bits and the even one's in the upper; see `TupleCosts`.
  ///
  /// Where a book has its signs in the codewords, a few of them differ by a bit in length; here
  /// stands the mean.
  private(set) var costs: [UInt32] = []
  /// Costs of tuples in all books at once.
  let bookCosts = BookCosts()
  /// Codewords of books 1…11 with the signs appended, the length in the top eight bits.
  ///
  /// In every book a tuple's digits may be negative, and the tuple of zeros is at `zero(book:)`.
  private(set) var codewords: [UInt32] = []
  /// 2^(−3/16·(sf − 100)) for scalefactors 0…255: what |x|^¾ is multiplied by.
  private(set) var quantizerSteps: [Float] = []
  /// 2^((sf − 100)/4) for scalefactors 0…255: what a decoder multiplies with.
  private(set) var decoderSteps: [Float] = []
  /// q^(4/3) for 0…8191.
  private(set) var powers: [Float] = []

  /// Where the costs of books 1+2, 3+4, 5+6, 7+8, 9+10 and 11 begin.
  static let costs1: Int = 0
  static let costs3: Int = 81
  static let costs5: Int = 162
  static let costs7: Int = 187
  static let costs9: Int = 251
  static let costs11: Int = 420

  init() {
    costs.reserveCapacity(709)
    for i in 0..<81 { costs.append(Self.meanOfQuads(i)) }
    for i in 0..<81 { costs.append(TupleCosts.books3and4[i]) }
    for i in 0..<25 { costs.append(Self.meanOfPairs(i)) }
    for i in 0..<64 { costs.append(TupleCosts.books7and8[i]) }
    for i in 0..<169 { costs.append(TupleCosts.books9and10[i]) }
    for i in 0..<289 { costs.append(TupleCosts.book11[i]) }
    codewords.reserveCapacity(4_353)
    for book in 1...11 { appendCodewords(book) }
    for scaleFactor in 0..<256 {
      let exponent = Float(scaleFactor - 100)
      quantizerSteps.append(ElementaryFunctions.exp2(exponent * -0.1875))
      decoderSteps.append(ElementaryFunctions.exp2(exponent * 0.25))
    }
    powers.reserveCapacity(8192)
    powers.append(0)
    for q in 1...8191 {
      // Newton's iteration for the cube root, from the root of the number before.
      let x = Double(q)
      var root = q == 1 ? 1 : Double(powers[q - 1]) / Double(q - 1)
      for _ in 0..<5 { root -= (root * root * root - x) / (3 * root * root) }
      powers.append(Float(x * root))
    }
  }

  /// The mean cost of a quad of books 1 and 2 over all signs; `index` has digits 0…2, 2 counts as 0.
  private static func meanOfQuads(_ index: Int) -> UInt32 {
    let digits = [index / 27, index / 9 % 3, index / 3 % 3, index % 3].map { $0 % 2 }
    var (odd, even): (UInt32, UInt32) = (8, 8)
    for signs in 0..<16 {
      var place = 0
      for (number, digit) in digits.enumerated() {
        place = place * 3 + 1 + (signs >> number & 1 == 0 ? digit : -digit)
      }
      odd += TupleCosts.books1and2[place] & 0xFFFF
      even += TupleCosts.books1and2[place] >> 16
    }
    return (even / 16) << 16 | odd / 16
  }

  /// The mean cost of a pair of books 5 and 6 over all signs; `index` has digits 0…4.
  private static func meanOfPairs(_ index: Int) -> UInt32 {
    let (a, b) = (index / 5, index % 5)
    var (odd, even): (UInt32, UInt32) = (2, 2)
    for (x, y) in [(a, b), (-a, b), (a, -b), (-a, -b)] {
      let cost = TupleCosts.books5and6[x * 9 + y + 40]
      odd += cost & 0xFFFF
      even += cost >> 16
    }
    return (even / 4) << 16 | odd / 4
  }

  /// Where a book's tuple of zeros is in `codewords`.
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

  private mutating func appendCodewords(_ book: Int) {
    let largest = [0, 1, 1, 2, 2, 4, 4, 7, 7, 12, 12, 16][book]
    let digits = -largest...largest
    for a in digits {
      for b in digits {
        guard book <= 4 else {
          append([a, b], book, largest)
          continue
        }
        for c in digits {
          for d in digits { append([a, b, c, d], book, largest) }
        }
      }
    }
  }

  private mutating func append(_ tuple: [Int], _ book: Int, _ largest: Int) {
    let isSigned = book <= 2 || book == 5 || book == 6
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
    let word = Self.word(book, index)
    let length = word >> 16 + signCount
    codewords.append(length << 24 | (word & 0xFFFF) << signCount | signs)
  }

  private static func word(_ book: Int, _ index: Int) -> UInt32 {
    switch book {
    case 1: SpectralCodewords.book1[index]
    case 2: SpectralCodewords.book2[index]
    case 3: SpectralCodewords.book3[index]
    case 4: SpectralCodewords.book4[index]
    case 5: SpectralCodewords.book5[index]
    case 6: SpectralCodewords.book6[index]
    case 7: SpectralCodewords.book7[index]
    case 8: SpectralCodewords.book8[index]
    case 9: SpectralCodewords.book9[index]
    case 10: SpectralCodewords.book10[index]
    default: SpectralCodewords.book11[index]
    }
  }
}
