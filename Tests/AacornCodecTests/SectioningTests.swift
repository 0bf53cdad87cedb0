import Testing

@testable import AacornCodec

/// The shortest path through the codebooks, compared with an exhaustive search.
@Suite struct SectioningTests {
  static let tables = CodeTables()

  struct Case {
    var widths: [Int]
    var lines: [Int32]
    var isShort: Bool

    /// Creates bands with mostly small magnitudes, sometimes large ones or silence.
    ///
    /// The bands have the minimum width; `scale` widens them.
    init(bands: Int, isShort: Bool, scale: Int = 1, _ random: inout NoiseGenerator) {
      self.isShort = isShort
      widths = (0..<bands).map { _ in 4 * scale * Int(2 + 1.99 * random.next()) }
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

    /// Writes one band's lines with a codebook, and returns the bits, including the scale factor if
    /// the band is silent.
    func writtenBits(_ band: Int, book: UInt8) -> Int {
      guard book != Codebook.zero else { return 0 }
      var writer = ChannelWriter(BitWriter())
      if magnitude(band) == 0 { ScaleFactorBook.code.put(0, to: &writer.bits) }
      writer.writeSpectrum(
        lines, range(band).lowerBound, widths[band], book: Int(book), tables.codewords)
      return writer.bits.bitCount
    }

    /// Writes sections and lines, and returns the bits, including the scale factors of silent
    /// bands.
    func writtenBits(_ books: [UInt8]) -> Int {
      var writer = ChannelWriter(BitWriter())
      writer.putSections(
        books, WindowInfo(isShort ? .eightShort : .onlyLong, bands: books.count, groups: [8]))
      return books.enumerated().reduce(writer.bits.bitCount) {
        $0 + (Codebook.isSpectral($1.element) ? writtenBits($1.offset, book: $1.element) : 0)
      }
    }

    /// The codebooks that can represent each band's lines.
    var usable: [[UInt8]] {
      widths.indices.map { band in
        let first = Codebook.first(magnitude: magnitude(band))
        return (first...Codebook.all.upperBound).map { UInt8($0) }
      }
    }

    /// The codebooks that the search considers: eight per band, but all of them for silence.
    var considered: [[UInt8]] {
      zip(widths.indices, usable).map { band, books in
        let first = BookCosts.firstLane(magnitude: magnitude(band))
        return magnitude(band) == 0 ? books : books.filter { Int($0) < first + 8 }
      }
    }

    func setCosts(_ sectioning: inout Sectioning, _ books: [UInt8]) {
      sectioning.setCosts(
        books, quantized: lines, offsets: (0...widths.count).map { widths[..<$0].reduce(0, +) },
        magnitudes: widths.indices.map(magnitude), bandCount: widths.count, tables: tables)
    }

    /// The search's choice, and its predicted cost.
    func chosen(_ sectioning: inout Sectioning) -> (books: [UInt8], bits: Int) {
      var books = [UInt8](repeating: 1, count: widths.count)
      setCosts(&sectioning, books)
      let bits = sectioning.choose(range: 0..<widths.count, isShort: isShort, books: &books)
      return (books, bits)
    }

    /// The minimum bits of all divisions into sections, including their length fields.
    ///
    /// The minimum for each band's end is derived from the minimum at the start of its last
    /// section.
    func minimumSectionBits(_ usable: [[UInt8]]) -> Int {
      let bits = widths.indices.map { band in
        usable[band].reduce(into: [UInt8: Int]()) { $0[$1] = writtenBits(band, book: $1) }
      }
      let (fieldBits, escape) = isShort ? (3, 7) : (5, 31)
      var best = [0]
      for end in 1...widths.count {
        var cheapest = Int.max
        for book in Codebook.zero...Codebook.escape {
          var section = 0
          for first in stride(from: end - 1, through: 0, by: -1) {
            guard let own = bits[first][book] else { break }
            section += own
            let header = 4 + fieldBits * (1 + (end - first) / escape)
            cheapest = min(cheapest, best[first] + header + section)
          }
        }
        best.append(cheapest)
      }
      return best[widths.count]
    }
  }

  static func cases(_ count: Int, seed: Int, bands: Int, isShort: Bool, scale: Int = 1) -> [Case] {
    var random = NoiseGenerator(state: UInt32(seed))
    return (0..<count).map { _ in Case(bands: bands, isShort: isShort, scale: scale, &random) }
  }

  /// Expects that the claimed bits are written, and are at most `excess` bits above the minimum.
  private func expectMinimum(_ item: Case, _ sectioning: inout Sectioning, excess: Int) {
    let (books, bits) = item.chosen(&sectioning)
    let exact = item.minimumSectionBits(item.considered)
    #expect((exact...exact + excess).contains(bits))
    #expect(item.writtenBits(books) == bits)
  }

  /// Includes bands of the maximum width, 160 lines, which have the largest costs.
  @Test(arguments: [true, false], [1, 13])
  func theCostClaimedIsTheCostWritten(isShort: Bool, scale: Int) {
    var sectioning = Sectioning()
    let bands = isShort ? 15 : 49
    for item in Self.cases(2000 / scale, seed: 3, bands: bands, isShort: isShort, scale: scale) {
      let (books, bits) = item.chosen(&sectioning)
      #expect(item.writtenBits(books) == bits)
      for band in 0..<bands {
        #expect(books[band] != 0 || item.magnitude(band) == 0)
        #expect(Int(books[band]) >= Codebook.first(magnitude: item.magnitude(band)))
        #expect(books[band] <= Codebook.escape)
      }
    }
  }

  @Test(arguments: 1...5, [true, false])
  func noSequenceOfBooksIsCheaper(bands: Int, isShort: Bool) {
    var sectioning = Sectioning()
    for item in Self.cases(300, seed: bands, bands: bands, isShort: isShort) {
      expectMinimum(item, &sectioning, excess: 0)
    }
  }

  /// The search does not foresee a second length field, so it loses at most the bits of that field.
  @Test(arguments: [(true, 15), (true, 12), (false, 49), (false, 40)], [1, 13])
  func noDivisionIsCheaperButForLongSections(kind: (isShort: Bool, bands: Int), scale: Int) {
    let (isShort, bands) = kind
    var sectioning = Sectioning()
    let uncounted = isShort ? bands / 7 * 3 : bands / 31 * 5
    var (spent, least) = (0, 0)
    for item in Self.cases(100, seed: bands, bands: bands, isShort: isShort, scale: scale) {
      let bits = item.chosen(&sectioning).bits
      let exact = item.minimumSectionBits(item.considered)
      #expect((exact...exact + uncounted).contains(bits))
      spent += bits
      least += exact
    }
    #expect(Double(spent) <= Double(least) * 1.003, "\(spent) bits instead of \(least)")
  }

  /// Runs of seven short bands need a second length field, which the search does not foresee.
  @Test(arguments: 7...13)
  func longRunsCostAtMostOneMoreLengthField(bands: Int) {
    var random = NoiseGenerator(state: UInt32(bands))
    var sectioning = Sectioning()
    for _ in 0..<100 {
      var item = Case(bands: bands, isShort: true, &random)
      // Loud bands that only the largest codebook can represent, with a few silent ones among them.
      item.widths = [Int](repeating: 4, count: bands)
      item.lines = (0..<bands).flatMap { _ in
        [random.next() > 0.5 ? 0 : 13 + Int32(20 * (random.next() + 1)), 0, 0, 0]
      }
      expectMinimum(item, &sectioning, excess: 3)
    }
  }

  /// The search excludes the largest codebooks for bands of the smallest magnitudes.
  @Test func booksMuchTooLargeForABandCostLittle() {
    var sectioning = Sectioning()
    var (spent, least) = (0, 0)
    for item in Self.cases(300, seed: 8, bands: 15, isShort: false) {
      spent += item.chosen(&sectioning).bits
      least += item.minimumSectionBits(item.usable)
    }
    #expect(spent >= least)
    #expect(Double(spent) <= Double(least) * 1.02, "\(spent) bits instead of \(least)")
  }

  /// Wide bands that repeat a single pair have the largest differences in cost between codebooks.
  @Test(arguments: [0, 1, 2, 3, 4, 5, 7, 8, 12, 13, 15, 16, 8191] as [Int32])
  func costsOfUniformBandsStayInRange(magnitude: Int32) {
    var random = NoiseGenerator(state: 2)
    var sectioning = Sectioning()
    for other in [-magnitude, 0, min(magnitude, 1)] {
      var item = Case(bands: 12, isShort: true, &random)
      item.widths = [4, 160, 4, 160, 4, 160, 160, 4, 160, 160, 8, 160]
      item.lines = []
      for (band, width) in item.widths.enumerated() {
        let pair = band % 3 == 1 ? [magnitude, other] : [0, Int32(band % 4)]
        for n in 0..<width { item.lines.append(pair[n % 2]) }
      }
      expectMinimum(item, &sectioning, excess: 3)
    }
  }

  @Test func groupsAreDividedOneByOne() {
    var sectioning = Sectioning()
    for item in Self.cases(100, seed: 6, bands: 24, isShort: true) {
      var books = [UInt8](repeating: 1, count: 24)
      item.setCosts(&sectioning, books)
      for first in [0, 12] {
        var group = item
        group.widths = Array(item.widths[first..<first + 12])
        let lines = item.range(first).lowerBound..<item.range(first + 11).upperBound
        group.lines = Array(item.lines[lines])
        var alone = Sectioning()
        let (expected, expectedBits) = group.chosen(&alone)
        let bits = sectioning.choose(range: first..<first + 12, isShort: true, books: &books)
        #expect(bits == expectedBits)
        #expect(Array(books[first..<first + 12]) == expected)
      }
    }
  }

  /// A length field of all ones is always followed by another field, even if the length ends there.
  @Test(arguments: [(false, 31), (true, 7)])
  func longSectionsTakeSeveralFields(isShort: Bool, escape: Int) {
    let fieldBits = isShort ? 3 : 5
    for length in [1, escape - 1, escape, escape + 1, 2 * escape - 1, 2 * escape] {
      var writer = ChannelWriter(BitWriter())
      let books = [UInt8](repeating: 3, count: length)
      writer.putSections(
        books, WindowInfo(isShort ? .eightShort : .onlyLong, bands: length, groups: [8]))
      #expect(writer.bits.bitCount == 4 + fieldBits * (1 + length / escape))
      var reader = BitReader(writer.bits.bytes)
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
        if random.next() > 0.4 {
          books[band] = Codebook.withoutLines[Int(1.5 + 1.49 * random.next())]
        }
      }
      item.setCosts(&sectioning, books)
      let before = books
      let bits = sectioning.choose(range: 0..<12, isShort: false, books: &books)
      for band in 0..<12 {
        #expect(
          Codebook.isSpectral(before[band])
            ? Codebook.isSpectral(books[band]) : books[band] == before[band])
      }
      #expect(item.writtenBits(books) == bits)
    }
  }
}
