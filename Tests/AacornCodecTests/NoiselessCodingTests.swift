import Testing

@testable import AacornCodec

@Suite struct NoiselessCodingTests {
  static let tables = CodeTables()

  static func digits(_ writer: BitWriter) -> String {
    var reader = BitReader(writer.bytes)
    return (0..<writer.bitCount).map { _ in reader.read(1) == 1 ? "1" : "0" }.joined()
  }

  /// Returns the lines per tuple and the maximum magnitude of a codebook.
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
      let writer = Self.written(item.tuple.map { Int32($0) }, book: item.book)
      #expect(Self.digits(writer) == item.bits, "book \(item.book): \(item.tuple)")
    }
  }

  static func tuples(_ length: Int, _ digits: ClosedRange<Int32>) -> [[Int32]] {
    (0..<length).reduce([[]]) { tuples, _ in
      tuples.flatMap { tuple in digits.map { tuple + [$0] } }
    }
  }

  static func written(_ lines: [Int32], book: Int) -> BitWriter {
    var writer = ChannelWriter(BitWriter())
    writer.writeSpectrum(lines, 0, lines.count, book: book, tables.codewords)
    return writer.bits
  }

  /// Returns the bits of a tuple for all possible signs: the range, and the rounded mean.
  static func signSpread(_ magnitudes: [Int32], book: Int) -> (range: ClosedRange<Int>, mean: Int) {
    let count = 1 << magnitudes.count
    var (least, most, sum) = (Int.max, 0, 0)
    for signs in 0..<count {
      let lines = magnitudes.enumerated().map { signs >> $0 & 1 == 0 ? $1 : -$1 }
      let bits = written(lines, book: book).bitCount
      least = min(least, bits)
      most = max(most, bits)
      sum += bits
    }
    return (least...most, (2 * sum + count) / (2 * count))
  }

  @Test(arguments: 1...11)
  func noTwoTuplesShareACodeword(book: Int) {
    let (length, largest, _) = Self.shape(book)
    let tuples = Self.tuples(length, -largest...largest)
    let words = Set(tuples.map { Self.digits(Self.written($0, book: book)) })
    #expect(words.count == tuples.count)
  }

  /// The cost of a tuple equals the length of its codeword in every codebook that can represent it.
  ///
  /// Smaller codebooks are marked as unusable.
  @Test(arguments: [1, 2, 3, 4, 5, 7, 8, 12, 13, 16, 17] as [Int32])
  func everyTupleCostsInAllBooksWhatItsCodewordsTake(magnitude: Int32) {
    let first = BookCosts.firstLane(magnitude: magnitude)
    let smallest = Codebook.first(magnitude: magnitude)
    #expect((first..<first + 8).contains(smallest))
    let length = magnitude <= 2 ? 4 : 2
    for tuple in Self.tuples(length, -magnitude...magnitude) {
      // Sums are over multiples of four lines.
      let lines = length == 4 ? tuple : tuple + tuple.reversed()
      let sums = unsafe Self.tables.bookCosts.sum(lines, 4, magnitude: magnitude)
      let escapes = lines.reduce(0) { $0 + Int(Codebook.escapeLength(abs($1))) }
      for book in first...min(11, first + 7) {
        let sum = Int(sums[book - first])
        if book < smallest {
          #expect(sum >= Int(BookCosts.unusableCost), "book \(book): \(lines)")
        } else {
          let bits = Self.written(lines, book: book).bitCount
          #expect(sum + escapes == bits, "book \(book): \(lines)")
        }
      }
    }
  }

  @Test func theCostsOfABandAreThoseOfItsTuples() {
    var noise = NoiseGenerator(state: 12)
    for largest: Int32 in [1, 2, 4, 6, 12, 15] {
      for count in stride(from: 4, through: 160, by: 4) {
        var lines = (0..<count).map { _ in Int32((Double(largest) + 0.99) * noise.next()) }
        lines[count / 2] = -largest
        let sums = unsafe Self.tables.bookCosts.sum(lines, count, magnitude: largest)
        let first = BookCosts.firstLane(magnitude: largest)
        for book in Codebook.first(magnitude: largest)...min(11, first + 7) {
          #expect(Int(sums[book - first]) == Self.written(lines, book: book).bitCount)
        }
      }
    }
  }

  /// Candidates have no signs yet.
  ///
  /// If signs change the length of a codeword, the cost is the mean.
  @Test(arguments: [1, 2, 4, 7, 12, 16] as [Int32])
  func magnitudesCostWhatTheirCodewordsTakeOnAverage(magnitude: Int32) {
    let odd = Codebook.first(magnitude: magnitude)
    let (length, _, isSigned) = Self.shape(odd)
    for tuple in Self.tuples(length, 0...magnitude) {
      let costs = unsafe CandidateKernels.bits(
        tuple.map { UInt32($0) }, count: length, magnitude: magnitude, costs: Self.tables.costs)
      for (book, cost) in [(odd, Int(costs & 0xFFFF)), (min(odd + 1, 11), Int(costs >> 16))] {
        let spread = Self.signSpread(tuple, book: book)
        #expect(spread.range.contains(cost), "book \(book): \(tuple)")
        #expect(cost == spread.mean, "book \(book): \(tuple)")
        #expect(isSigned || spread.range.count == 1, "book \(book): \(tuple)")
      }
    }
  }

  @Test(arguments: [16, 17, 31, 32, 33, 63, 64, 127, 128, 1023, 1024, 4095, 4096, 8190, 8191])
  func escapesCostAndReadBack(magnitude: Int32) throws {
    for lines in [[magnitude, 0], [-magnitude, 3], [-1, -magnitude], [magnitude, -magnitude]] {
      let writer = Self.written(lines, book: 11)
      let costs = unsafe CandidateKernels.bits(
        lines.map { $0.magnitude }, count: 2, magnitude: magnitude, costs: Self.tables.costs)
      #expect(Int(costs & 0xFFFF) == writer.bitCount)
      #expect(costs & 0xFFFF == costs >> 16)
      // The pair's codeword is followed by N ones, a zero and the N + 4 bits below the highest.
      var reader = BitReader(writer.bytes)
      let escapes = lines.filter { abs($0) >= 16 }
      let escapeBits = escapes.reduce(0) { $0 + Int(Codebook.escapeLength(abs($1))) }
      reader.skip(writer.bitCount - escapeBits)
      for line in escapes {
        var ones = 0
        while reader.readFlag() { ones += 1 }
        #expect(1 << (ones + 4) + reader.readInt(ones + 4) == abs(line))
      }
      #expect(reader.position == writer.bitCount)
    }
  }

  @Test func theFirstBookIsTheSmallestThatHoldsTheMagnitude() {
    let expected: [Int32: Int] = [
      0: 0, 1: 1, 2: 3, 3: 5, 4: 5, 5: 7, 7: 7, 8: 9, 12: 9, 13: 11, 8191: 11,
    ]
    for (magnitude, book) in expected {
      #expect(Codebook.first(magnitude: magnitude) == book)
    }
  }

  @Test func scaleFactorDifferencesAreWrittenAsInTheVectors() throws {
    for item in try CodecVectors.load().scaleFactorDeltas {
      var writer = ChannelWriter(BitWriter())
      ScaleFactorBook.code.put(item.delta, to: &writer.bits)
      #expect(Self.digits(writer.bits) == item.bits)
      #expect(ScaleFactorBook.code.bitCount(of: item.delta) == item.bits.count)
    }
  }

  /// The code is complete: the sum of 2^−length over all codewords is 1.
  @Test func scaleFactorCodewordsAreAPrefixCode() {
    var words: [String] = []
    for difference in -60...60 {
      var writer = ChannelWriter(BitWriter())
      ScaleFactorBook.code.put(difference, to: &writer.bits)
      words.append(Self.digits(writer.bits))
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
    layout.setWindow(WindowInfo(.onlyLong, bands: 20), windowOffsets: (0...20).map { $0 * 4 })
    var noise = NoiseGenerator(state: 31)
    for _ in 0..<500 {
      var frame = ChannelFrame()
      for band in 0..<20 {
        frame.codebooks[band] = noise.next() < -0.5 ? Codebook.zero : Codebook.smallest
        frame.scaleFactors[band] = Int32(128 + 127 * noise.next())
        // The band is nonzero at its own scale factor. Many bands become zero at a higher one.
        frame.statistics.peak[band] =
          1.5 / Self.tables.quantizerSteps[Int(frame.scaleFactors[band])]
      }
      let wanted = frame.scaleFactors
      ScaleFactors.limitDifferences(&frame, layout, with: Self.tables)
      var previous: Int32?
      for band in 0..<20 where frame.codebooks[band] != Codebook.zero {
        #expect(frame.scaleFactors[band] >= wanted[band])
        if let previous { #expect(abs(frame.scaleFactors[band] - previous) <= 60) }
        let step = Self.tables.quantizerSteps[Int(frame.scaleFactors[band])]
        #expect(Quantizer.magnitude(frame.statistics.peak[band], step) > 0)
        previous = frame.scaleFactors[band]
      }
    }
  }
}
