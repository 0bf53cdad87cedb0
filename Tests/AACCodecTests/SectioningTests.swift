import AACFormat
import Testing

@testable import AACCodec

/// The shortest path through the codebooks against trying all of them.
@Suite struct SectioningTests {
  static let tables = CodeTables()

  /// A few bands of random lines.
  struct Case {
    var widths: [Int]
    var lines: [Int32]
    var isShort: Bool

    /// Bands mostly of small magnitudes, sometimes of large ones or silent.
    init(bands: Int, isShort: Bool, _ random: inout NoiseGenerator) {
      self.isShort = isShort
      widths = (0..<bands).map { _ in 4 * Int(2 + 1.99 * random.next()) }
      lines = []
      for width in widths {
        let largest = [0, 1, 1, 2, 3, 4, 6, 9, 14, 40][Int(5 + 4.99 * random.next())]
        for _ in 0..<width {
          lines.append(Int32((Double(largest) + 0.49) * random.next()))
        }
      }
    }

    func range(_ band: Int) -> Range<Int> {
      let start = widths[..<band].reduce(0, +)
      return start..<start + widths[band]
    }

    func magnitude(_ band: Int) -> Int32 { lines[range(band)].map(abs).max() ?? 0 }

    /// Bits of sections and lines, by writing them, and of silent bands' scalefactors.
    func writtenBits(_ books: [UInt8]) -> Int {
      var writer = BitWriter()
      Sectioning.write(books, range: 0..<books.count, isShort: isShort, to: &writer)
      for (band, book) in books.enumerated() where book != 0 {
        if magnitude(band) == 0 { ScaleFactorCoder.write(0, to: &writer) }
        let range = range(band)
        SpectrumCoder.write(
          lines, range.lowerBound, range.count, book: Int(book), tables, to: &writer)
      }
      return writer.bitCount
    }

    /// The books that the search considers for each band: the smallest that hold it, and for
    /// silence those that say it cheaply.
    var considered: [[UInt8]] {
      widths.indices.map { band in
        let magnitude = magnitude(band)
        if magnitude == 0 { return [0, 1, 2, 3, 5, 7, 9] }
        let first = UInt8(SpectrumCoder.firstBook(magnitude: magnitude))
        return Array(first...min(11, first + 5))
      }
    }

    /// The path's choice and what it claims to cost.
    func chosen(_ sectioning: inout Sectioning) -> (books: [UInt8], bits: Int) {
      var books = [UInt8](repeating: 1, count: widths.count)
      for band in widths.indices {
        sectioning.setCosts(
          band: band, quantized: lines, start: range(band).lowerBound, count: widths[band],
          magnitude: magnitude(band), tables: tables)
      }
      let bits = sectioning.choose(range: 0..<widths.count, isShort: isShort, books: &books)
      return (books, bits)
    }

    /// The least bits of all assignments of the books that `usable` names for each band.
    func least(_ usable: [[UInt8]]) -> Int {
      var books = [UInt8](repeating: 0, count: widths.count)
      var best = Int.max
      // What a band's lines take in a book is the same in every assignment.
      var bits: [[Int]] = []
      for band in widths.indices {
        bits.append(
          usable[band].map { book in
            guard book > 0 else { return 0 }
            var writer = BitWriter()
            if magnitude(band) == 0 { ScaleFactorCoder.write(0, to: &writer) }
            SpectrumCoder.write(
              lines, range(band).lowerBound, widths[band], book: Int(book), tables, to: &writer)
            return writer.bitCount
          })
      }
      func descend(_ band: Int, _ sum: Int) {
        if band == widths.count {
          var counter = BitCounter()
          Sectioning.write(books, range: 0..<books.count, isShort: isShort, to: &counter)
          best = min(best, sum + counter.bitCount)
          return
        }
        for (index, book) in usable[band].enumerated() {
          books[band] = book
          descend(band + 1, sum + bits[band][index])
        }
      }
      descend(0, 0)
      return best
    }
  }

  @Test(arguments: [true, false])
  func theCostClaimedIsTheCostWritten(isShort: Bool) {
    var random = NoiseGenerator(state: 3)
    var sectioning = Sectioning()
    for _ in 0..<2000 {
      let bands = isShort ? 15 : 49
      let item = Case(bands: bands, isShort: isShort, &random)
      let (books, bits) = item.chosen(&sectioning)
      #expect(item.writtenBits(books) == bits)
      for band in 0..<bands {
        #expect(books[band] != 0 || item.magnitude(band) == 0)
        #expect(Int(books[band]) >= SpectrumCoder.firstBook(magnitude: item.magnitude(band)))
        #expect(books[band] <= Codebook.escape)
      }
    }
  }

  /// Of the books that the search considers, the cheapest sequence.
  @Test(arguments: 1...5, [true, false])
  func noSequenceOfBooksIsCheaper(bands: Int, isShort: Bool) {
    var random = NoiseGenerator(state: UInt32(bands))
    var sectioning = Sectioning()
    for _ in 0..<[0, 300, 300, 200, 60, 12][bands] {
      let item = Case(bands: bands, isShort: isShort, &random)
      let bits = item.chosen(&sectioning).bits
      #expect(item.least(item.considered) == bits)
    }
  }

  /// Runs of seven short bands need a second length field, which the search must foresee.
  @Test(arguments: [7, 8, 9])
  func noSequenceOfBooksIsCheaperInLongRuns(bands: Int) {
    var random = NoiseGenerator(state: UInt32(bands))
    var sectioning = Sectioning()
    for _ in 0..<100 {
      var item = Case(bands: bands, isShort: true, &random)
      // Loud bands that only the largest book holds, with a few silent ones among them.
      item.widths = [Int](repeating: 4, count: bands)
      item.lines = (0..<bands).flatMap { _ in
        [random.next() > 0.5 ? 0 : 13 + Int32(20 * (random.next() + 1)), 0, 0, 0]
      }
      let bits = item.chosen(&sectioning).bits
      let usable = item.considered
      if usable.reduce(1, { $0 * $1.count }) > 8000 { continue }
      #expect(item.least(usable) == bits)
    }
  }

  /// Books of more reach than those considered hardly ever save anything.
  @Test func booksLeftOutOfTheSearchCostLittle() {
    var random = NoiseGenerator(state: 8)
    var sectioning = Sectioning()
    var (spent, least) = (0, 0)
    for _ in 0..<60 {
      let item = Case(bands: 4, isShort: false, &random)
      spent += item.chosen(&sectioning).bits
      least += item.least(
        (0..<4).map { band in
          let first = SpectrumCoder.firstBook(magnitude: item.magnitude(band))
          return (first...11).map { UInt8($0) }
        })
    }
    #expect(spent >= least)
    #expect(Double(spent) <= Double(least) * 1.05, "\(spent) bits instead of \(least)")
  }

  /// A length field of all ones means that another follows, also when it ends there exactly.
  @Test(arguments: [(false, 31), (true, 7)])
  func longSectionsTakeSeveralFields(isShort: Bool, escape: Int) {
    let fieldBits = isShort ? 3 : 5
    for length in [1, escape - 1, escape, escape + 1, 2 * escape - 1, 2 * escape] {
      var writer = BitWriter()
      let books = [UInt8](repeating: 3, count: length)
      Sectioning.write(books, range: 0..<length, isShort: isShort, to: &writer)
      #expect(writer.bitCount == 4 + fieldBits * (1 + length / escape))
      var reader = BitReader(writer.bytes)
      #expect(reader.read(4) == 3)
      var sum = 0
      var field = escape
      while field == escape {
        field = reader.readInt(fieldBits)
        sum += field
      }
      #expect(sum == length)
    }
  }

  @Test func bandsWithoutSpectrumKeepTheirBooks() {
    var random = NoiseGenerator(state: 5)
    var sectioning = Sectioning()
    for _ in 0..<200 {
      let item = Case(bands: 12, isShort: false, &random)
      var books = [UInt8](repeating: 1, count: 12)
      for band in 0..<12 {
        if random.next() > 0.4 { books[band] = [13, 14, 15][Int(1.5 + 1.49 * random.next())] }
        sectioning.setCosts(
          band: band, quantized: item.lines, start: item.range(band).lowerBound,
          count: item.widths[band], magnitude: item.magnitude(band), tables: Self.tables)
      }
      let before = books
      let bits = sectioning.choose(range: 0..<12, isShort: false, books: &books)
      var writer = BitWriter()
      Sectioning.write(books, range: 0..<12, isShort: false, to: &writer)
      for band in 0..<12 {
        if before[band] > 11 {
          #expect(books[band] == before[band])
        } else if books[band] > 0 {
          if item.magnitude(band) == 0 { ScaleFactorCoder.write(0, to: &writer) }
          SpectrumCoder.write(
            item.lines, item.range(band).lowerBound, item.widths[band], book: Int(books[band]),
            Self.tables, to: &writer)
        }
      }
      #expect(writer.bitCount == bits)
    }
  }
}
