/// Divides the bands of a group into sections that share a codebook, at the lowest total cost.
///
/// ISO/IEC 14496-3, 4.6.3.2.
///
/// This is a shortest path search: a state is the book of the current band; a step to the next band
/// either keeps the book or pays for a new section. It ignores the second length field of very long
/// sections, which costs a few bits in rare frames.
///
/// The eight smallest books that fit a band are lanes of two vectors of 16-bit numbers. Each number
/// is sixteen times a cost plus the lane's index, so that one minimum finds both the lowest cost
/// and its book. Costs are relative to the cost of the band's smallest book, which keeps them
/// small.
struct Sectioning: SegmentStage {
  private typealias Books = SIMD8<Int16>

  /// The cost of each band in each book, minus `base`, times sixteen.
  private var rows = [Int16](repeating: 0, count: 16 * BandLayout.maximumBandCount)
  /// The cost of each band in its smallest book.
  private var base = [Int32](repeating: 0, count: BandLayout.maximumBandCount)
  /// The cost of each path that ends in a band, minus the cheapest path's cost, times sixteen.
  private var excess = [Int16](repeating: 0, count: 16 * BandLayout.maximumBandCount)
  /// The last book of the cheapest path that ends in a band.
  private var cheapest = [UInt8](repeating: 0, count: BandLayout.maximumBandCount)

  /// The cost difference beyond which a book is not considered.
  private static let maxExcess: Int16 = 1000

  /// Sections cover one group of one frame; all storage is scratch.
  static var lookBack: Int { 0 }

  /// Does nothing: there is no state.
  mutating func begin(atFrame index: Int) {}

  /// Stores the costs of each spectral band of the frame in every book that fits it.
  mutating func setCosts(
    _ books: [UInt8], quantized: [Int32], offsets: [Int], magnitudes: [Int32], bandCount: Int,
    tables: CodeTables
  ) {
    precondition(bandCount < offsets.count && bandCount <= magnitudes.count)
    precondition(bandCount <= books.count && bandCount <= base.count)
    precondition(offsets[bandCount] <= quantized.count && 16 * bandCount <= rows.count)
    unsafe Self.withBands(
      books: books, quantized: quantized, offsets: offsets, magnitudes: magnitudes
    ) { bands in
      unsafe Self.setCosts(
        bands, bandCount: bandCount, costs: tables.bookCosts, rows: &rows, base: &base)
    }
  }

  /// The codebooks, lines, borders and largest magnitudes of bands.
  @unsafe
  private struct Bands {
    let books: UnsafePointer<UInt8>
    let quantized: UnsafePointer<Int32>
    let offsets: UnsafePointer<Int>
    let magnitudes: UnsafePointer<Int32>
  }

  @inline(__always)
  private static func withBands(
    books: UnsafePointer<UInt8>, quantized: UnsafePointer<Int32>, offsets: UnsafePointer<Int>,
    magnitudes: UnsafePointer<Int32>, _ body: (Bands) -> Void
  ) {
    unsafe body(
      Bands(books: books, quantized: quantized, offsets: offsets, magnitudes: magnitudes))
  }

  private static func setCosts(
    _ bands: Bands, bandCount: Int, costs: BookCosts, rows: UnsafeMutablePointer<Int16>,
    base: UnsafeMutablePointer<Int32>
  ) {
    for band in 0..<bandCount {
      guard unsafe Codebook.isSpectral(bands.books[band]) else { continue }
      let row = unsafe rows + 16 * band
      let start = unsafe bands.offsets[band]
      let count = unsafe bands.offsets[band + 1] - start
      let magnitude = unsafe bands.magnitudes[band]
      if magnitude == 0 {
        unsafe base[band] = 0
        unsafe setSilence(row, quads: Int16(truncatingIfNeeded: count / 4))
        continue
      }
      let lines = unsafe bands.quantized + start
      let sum = unsafe costs.sum(lines, count, magnitude: magnitude)
      let smallest = Codebook.first(magnitude: magnitude)
      let first = BookCosts.firstLane(magnitude: magnitude)
      let own = sum[smallest &- first]
      // Escapes cost the same with any choice, since only book 11 has them.
      unsafe base[band] =
        Int32(own)
        + (magnitude >= Codebook.escapeMark ? escapes(lines, count) : 0)
      let difference = sum &- Books(repeating: own)
      let maxExcess = Books(repeating: Self.maxExcess)
      let bounded = difference.replacing(with: maxExcess, where: maxExcess .< difference)
      let unavailableCost = Books(repeating: Self.maxExcess &<< 4)
      unsafe store(unavailableCost, row)
      unsafe store(unavailableCost, row + 8)
      unsafe store(bounded &<< 4, row + first)
      if first == 5 { unsafe row[Int(Codebook.reserved)] = Self.maxExcess &<< 4 }
    }
  }

  /// Sets the costs of zeros, which every book can code.
  ///
  /// Zeros inside a section save two sections, the section of zeros and the one after it, but the
  /// band then costs a scalefactor.
  @inline(__always)
  private static func setSilence(_ row: UnsafeMutablePointer<Int16>, quads: Int16) {
    let n = Self.maxExcess
    // The bits of the quads of zeros in each book, and one bit for the scalefactor.
    let low =
      Books(0, 1, 3, 1, 4, 2, 8, 2) &* Books(repeating: quads) &+ Books(0, 1, 1, 1, 1, 1, 1, 1)
    let high =
      Books(10, 2, 12, 8, 0, 0, 0, 0) &* Books(repeating: quads)
      &+ Books(1, 1, 1, 1, n, n, n, n)
    unsafe store(low &<< 4, row)
    unsafe store(high &<< 4, row + 8)
  }

  private static func escapes(_ q: UnsafePointer<Int32>, _ count: Int) -> Int32 {
    var sum: UInt32 = 0
    for n in 0..<count { sum &+= unsafe Codebook.escapeLength(abs(q[n])) }
    return Int32(truncatingIfNeeded: sum)
  }

  /// Chooses books for bands `range` (one group) and returns the bits of sections and lines.
  ///
  /// Bands whose entry in `books` means noise or intensity keep it.
  mutating func choose(range: Range<Int>, isShort: Bool, books: inout [UInt8]) -> Int {
    precondition(range.lowerBound >= 0 && range.upperBound <= min(books.count, base.count))
    return unsafe Int(
      Self.choose(
        range, SectionLength(isShort: isShort), rows: rows, base: base, excess: &excess,
        cheapest: &cheapest, books: &books))
  }

  private static func choose(
    _ range: Range<Int>, _ length: SectionLength, rows: UnsafePointer<Int16>,
    base: UnsafePointer<Int32>, excess: UnsafeMutablePointer<Int16>,
    cheapest: UnsafeMutablePointer<UInt8>, books: UnsafeMutablePointer<UInt8>
  ) -> Int32 {
    let fieldBits = Int32(truncatingIfNeeded: length.fieldWidth)
    var total: Int32 = 0
    var first = range.lowerBound
    while first < range.upperBound {
      let book = unsafe books[first]
      let isFixed = !Codebook.isSpectral(book)
      var end = first + 1
      while unsafe end < range.upperBound
        && (isFixed ? books[end] == book : Codebook.isSpectral(books[end]))
      {
        end += 1
      }
      if !isFixed {
        unsafe total &+= cheapestPath(
          through: first..<end, header: 4 + fieldBits, rows: rows, base: base, excess: excess,
          cheapest: cheapest)
        unsafe walkBack(
          through: first..<end, header: 4 + fieldBits, excess: excess, cheapest: cheapest,
          into: books)
      }
      unsafe total &+= lengthFields(
        of: first..<end, books: books, fieldBits: fieldBits, escape: length.escape,
        opening: isFixed ? 4 + fieldBits : 0)
      first = end
    }
    return total
  }

  /// Returns `opening` plus the bits of the additional length fields that sections of bands `range`
  /// need.
  private static func lengthFields(
    of range: Range<Int>, books: UnsafePointer<UInt8>, fieldBits: Int32, escape: Int, opening: Int32
  ) -> Int32 {
    guard range.count >= escape else { return opening }
    var bits = opening
    var run = 0
    for band in range {
      run = unsafe band > range.lowerBound && books[band] == books[band - 1] ? run + 1 : 1
      if run == escape {
        bits &+= fieldBits
        run = 0
      }
    }
    return bits
  }

  /// Finds the cheapest path through the bands; returns its bits.
  private static func cheapestPath(
    through bands: Range<Int>, header: Int32, rows: UnsafePointer<Int16>,
    base: UnsafePointer<Int32>, excess: UnsafeMutablePointer<Int16>,
    cheapest: UnsafeMutablePointer<UInt8>
  ) -> Int32 {
    let opening = Books(repeating: Int16(truncatingIfNeeded: header &<< 4))
    let freshLow = opening &+ Books(0, 1, 2, 3, 4, 5, 6, 7)
    let freshHigh = opening &+ Books(8, 9, 10, 11, 12, 13, 14, 15)
    var (low, high) = (freshLow, freshHigh)
    var total: Int32 = 0
    for band in bands {
      low &+= unsafe load(rows + 16 * band)
      high &+= unsafe load(rows + 16 * band + 8)
      let minimum = Self.minimum(low, high)
      total &+= unsafe base[band] &+ Int32(minimum &>> 4)
      unsafe cheapest[band] = UInt8(truncatingIfNeeded: minimum & 15)
      let level = Books(repeating: minimum & ~15)
      low &-= level
      high &-= level
      unsafe store(low, excess + 16 * band)
      unsafe store(high, excess + 16 * band + 8)
      low = low.replacing(with: freshLow, where: freshLow .< low)
      high = high.replacing(with: freshHigh, where: freshHigh .< high)
    }
    return total
  }

  private static func walkBack(
    through bands: Range<Int>, header: Int32, excess: UnsafePointer<Int16>,
    cheapest: UnsafePointer<UInt8>, into books: UnsafeMutablePointer<UInt8>
  ) {
    var book = unsafe cheapest[bands.upperBound - 1]
    for band in bands.reversed() {
      // If a path costs more than the cheapest one plus a new section, it continues from the
      // cheapest.
      if unsafe Int32(excess[16 * band + Int(book)]) &>> 4 > header { book = unsafe cheapest[band] }
      unsafe books[band] = book
    }
  }

  @inline(__always)
  private static func minimum(_ low: Books, _ high: Books) -> Int16 {
    // Comparing and selecting stays in vectors; `pointwiseMin` would process lanes one by one.
    let eight = low.replacing(with: high, where: high .< low)
    let turned = Books(
      eight[4], eight[5], eight[6], eight[7], eight[0], eight[1], eight[2], eight[3])
    let four = eight.replacing(with: turned, where: turned .< eight)
    let swapped = Books(four[2], four[3], four[0], four[1], four[4], four[5], four[6], four[7])
    let two = four.replacing(with: swapped, where: swapped .< four)
    return min(two[0], two[1])
  }

  @inline(__always)
  private static func load(_ values: UnsafePointer<Int16>) -> Books {
    unsafe UnsafeRawPointer(values).loadUnaligned(as: Books.self)
  }

  @inline(__always)
  private static func store(_ value: Books, _ destination: UnsafeMutablePointer<Int16>) {
    unsafe UnsafeMutableRawPointer(destination).storeBytes(of: value, as: Books.self)
  }
}
