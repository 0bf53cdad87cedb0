import AACFormat
import Testing

@testable import AACCodec

/// Codewords of lines and scalefactors.
@Suite struct NoiselessCodingTests {
  static let tables = CodeTables()

  /// What a writer holds, as a string of 0 and 1.
  static func digits(_ writer: BitWriter) -> String {
    var reader = BitReader(writer.bytes)
    return (0..<writer.bitCount).map { _ in reader.read(1) == 1 ? "1" : "0" }.joined()
  }

  /// Lines per tuple and the largest magnitude of a codebook.
  static func shape(_ book: Int) -> (length: Int, largest: Int32, isSigned: Bool) {
    switch book {
    case 1, 2: (4, 1, true)
    case 3, 4: (4, 2, false)
    case 5, 6: (2, 4, true)
    case 7, 8: (2, 7, false)
    case 9, 10: (2, 12, false)
    default: (2, 17, false)
    }
  }

  @Test func tuplesAreWrittenAsInTheVectors() throws {
    for item in try CodecVectors.load().huffmanTuples {
      var writer = BitWriter()
      let lines = item.tuple.map { Int32($0) }
      SpectrumCoder.write(lines, 0, lines.count, book: item.book, Self.tables, to: &writer)
      #expect(Self.digits(writer) == item.bits, "book \(item.book): \(item.tuple)")
    }
  }

  /// Every tuple of every book: as many bits as the cost table says, and the parser reads it back.
  @Test(arguments: 1...11)
  func everyTupleCostsWhatItsCodewordTakes(book: Int) {
    let (length, largest, _) = Self.shape(book)
    let base = Int(2 * largest + 1)
    let count = length == 4 ? base * base * base * base : base * base
    var seen = Set<String>()
    for number in 0..<count {
      var rest = number
      var lines = [Int32](repeating: 0, count: 4)
      for place in 0..<length {
        lines[place] = Int32(rest % base) - largest
        rest /= base
      }
      var writer = BitWriter()
      SpectrumCoder.write(lines, 0, length, book: book, Self.tables, to: &writer)
      let first = book == 11 ? 11 : book - (book + 1) % 2
      let costs = unsafe SpectrumCoder.bits(lines, 0, length, firstBook: first, Self.tables.costs)
      let cost = book % 2 == 1 ? costs & 0xFFFF : costs >> 16
      #expect(Int(cost) == writer.bitCount, "book \(book): \(lines)")
      seen.insert(Self.digits(writer))
    }
    #expect(seen.count == count, "no two tuples may share a codeword")
  }

  @Test(arguments: [16, 17, 31, 32, 33, 63, 64, 127, 128, 1023, 1024, 4095, 4096, 8190, 8191])
  func escapesCostAndReadBack(magnitude: Int) {
    for lines in [[Int32(magnitude), 0], [Int32(-magnitude), 3], [-1, Int32(-magnitude)]] {
      var writer = BitWriter()
      SpectrumCoder.write(lines, 0, 2, book: 11, Self.tables, to: &writer)
      let cost = unsafe SpectrumCoder.bits(lines, 0, 2, firstBook: 11, Self.tables.costs)
      #expect(Int(cost & 0xFFFF) == writer.bitCount)
      #expect(cost & 0xFFFF == cost >> 16)
      let escape = Self.digits(writer)
      let ones = (magnitude.bitWidth - 1 - magnitude.leadingZeroBitCount) - 4
      #expect(escape.contains(String(repeating: "1", count: ones) + "0"))
    }
  }

  @Test func theFirstBookIsTheSmallestThatHoldsTheMagnitude() {
    let expected: [Int32: Int] = [
      0: 0, 1: 1, 2: 3, 3: 5, 4: 5, 5: 7, 7: 7, 8: 9, 12: 9, 13: 11, 8191: 11,
    ]
    for (magnitude, book) in expected {
      #expect(SpectrumCoder.firstBook(magnitude: magnitude) == book)
    }
  }

  @Test func scaleFactorDifferencesAreWrittenAsInTheVectors() throws {
    for item in try CodecVectors.load().scaleFactorDeltas {
      var writer = BitWriter()
      ScaleFactorCoder.write(item.delta, to: &writer)
      #expect(Self.digits(writer) == item.bits)
      #expect(ScaleFactorCoder.bits(item.delta) == item.bits.count)
    }
  }

  /// A complete prefix code: the codewords' shares of the number line add up to all of it.
  @Test func scaleFactorCodewordsAreAPrefixCode() {
    var words: [String] = []
    for difference in -60...60 {
      var writer = BitWriter()
      ScaleFactorCoder.write(difference, to: &writer)
      #expect(writer.bitCount == ScaleFactorCoder.bits(difference))
      words.append(Self.digits(writer))
    }
    for (index, word) in words.enumerated() {
      for (other, longer) in words.enumerated() where other != index {
        #expect(!longer.hasPrefix(word))
      }
    }
    let sum = words.reduce(0) { $0 + 1 << (19 - $1.count) }
    #expect(sum == 1 << 19)
  }

  @Test func scaleFactorsReachEachOtherInStepsOfSixty() {
    var layout = BandLayout()
    layout.setLong(windowOffsets: (0...20).map { $0 * 4 }, bandCount: 20)
    var noise = NoiseGenerator(state: 31)
    for _ in 0..<500 {
      var frame = ChannelFrame()
      for band in 0..<20 {
        frame.book[band] = noise.next() < -0.5 ? 0 : 1
        frame.scaleFactor[band] = Int32(128 + 127 * noise.next())
        // Audible at its own factor; many fall silent when theirs is raised.
        frame.statistics.peak[band] =
          1.5 / Self.tables.quantizerSteps[Int(frame.scaleFactor[band])]
      }
      let wanted = frame.scaleFactor
      ScaleFactors.limitDifferences(&frame, layout, Self.tables)
      var previous: Int32?
      for band in 0..<20 where frame.book[band] != 0 {
        #expect(frame.scaleFactor[band] >= wanted[band])
        if let previous { #expect(abs(frame.scaleFactor[band] - previous) <= 60) }
        let step = Self.tables.quantizerSteps[Int(frame.scaleFactor[band])]
        #expect(Quantizer.magnitude(frame.statistics.peak[band], step) > 0)
        previous = frame.scaleFactor[band]
      }
    }
  }
}
