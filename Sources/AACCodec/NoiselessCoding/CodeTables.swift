/// The codebooks as one encoder uses them: flat arrays that a kernel can take as pointers.
///
/// They are copied from the static tables element by element. Handing a static array over whole
/// would make the compiler guard it with a lock on first use.
struct CodeTables: Sendable {
  /// Costs of tuples for each pair of books; see `TupleCosts`.
  private(set) var costs: [UInt32] = []
  /// Codewords of books 1…11; see `SpectralCodewords`.
  private(set) var words: [UInt32] = []
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
  static let costs7: Int = 243
  static let costs9: Int = 307
  static let costs11: Int = 476

  init() {
    costs.reserveCapacity(765)
    for i in 0..<81 { costs.append(TupleCosts.books1and2[i]) }
    for i in 0..<81 { costs.append(TupleCosts.books3and4[i]) }
    for i in 0..<81 { costs.append(TupleCosts.books5and6[i]) }
    for i in 0..<64 { costs.append(TupleCosts.books7and8[i]) }
    for i in 0..<169 { costs.append(TupleCosts.books9and10[i]) }
    for i in 0..<289 { costs.append(TupleCosts.book11[i]) }
    words.reserveCapacity(1241)
    for i in 0..<81 { words.append(SpectralCodewords.book1[i]) }
    for i in 0..<81 { words.append(SpectralCodewords.book2[i]) }
    for i in 0..<81 { words.append(SpectralCodewords.book3[i]) }
    for i in 0..<81 { words.append(SpectralCodewords.book4[i]) }
    for i in 0..<81 { words.append(SpectralCodewords.book5[i]) }
    for i in 0..<81 { words.append(SpectralCodewords.book6[i]) }
    for i in 0..<64 { words.append(SpectralCodewords.book7[i]) }
    for i in 0..<64 { words.append(SpectralCodewords.book8[i]) }
    for i in 0..<169 { words.append(SpectralCodewords.book9[i]) }
    for i in 0..<169 { words.append(SpectralCodewords.book10[i]) }
    for i in 0..<289 { words.append(SpectralCodewords.book11[i]) }
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

  /// Where the codewords of a book begin in `words`.
  @inline(__always)
  static func wordOffset(book: Int) -> Int {
    switch book {
    case ...6: (book - 1) * 81
    case 7: 486
    case 8: 550
    case 9: 614
    case 10: 783
    default: 952
    }
  }
}
