import AACFormat

/// Divides the bands of a group into sections that share a codebook, at the lowest total cost
/// (ISO/IEC 14496-3, 4.6.3.2).
///
/// The search is a shortest path: a state is the book of the current band, a step to the next band
/// either keeps the book or pays for a new section. A run's length field grows by another increment
/// every 31 (short windows: 7) bands, priced along the path that survives.
///
/// All books of a band are one vector. A lane holds its cost times sixteen plus its own number, so
/// that one minimum finds both the cheapest cost and whose it is.
struct Sectioning: Sendable {
  private typealias Books = SIMD16<Int32>

  /// Bits of each band in each book.
  private var costs = [Books](repeating: .zero, count: BandLayout.maximumBandCount)
  /// For each band and book, the book of the band before on the cheapest path.
  private var cameFrom = [Books](repeating: .zero, count: BandLayout.maximumBandCount)

  /// The cost of a band in a book that cannot hold it.
  private static let unusable: Int32 = 1 << 16

  /// Notes what a band costs in every book that can hold it.
  mutating func setCosts(
    band: Int, quantized: [Int32], start: Int, count: Int, magnitude: Int32, tables: CodeTables
  ) {
    var row = Books(repeating: Self.unusable)
    if magnitude == 0 {
      // Every book can say zeros; one that does so inside a section saves the cost of two more,
      // and costs a scalefactor of its own.
      let quads = Int32(count / 4)
      row[0] = 0
      row[1] = quads + 1
      row[2] = 3 * quads + 1
      row[3] = quads + 1
      row[5] = 2 * quads + 1
      row[7] = 2 * quads + 1
      row[9] = 2 * quads + 1
    } else {
      precondition(start >= 0 && start + count <= quantized.count)
      let first = SpectrumCoder.firstBook(magnitude: magnitude)
      // Books far above a band's need never win; the next two pairs can, by joining sections.
      for book in stride(from: first, through: min(11, first + 4), by: 2) {
        let bits = unsafe SpectrumCoder.bits(
          quantized, start, count, firstBook: book, tables.costs)
        row[book] = Int32(truncatingIfNeeded: bits & 0xFFFF)
        if book < 11 { row[book + 1] = Int32(truncatingIfNeeded: bits >> 16) }
      }
    }
    costs[band] = row
  }

  /// Chooses books for bands `range` (one group) and returns the bits of sections and lines.
  ///
  /// Bands whose entry in `books` is above 11 (noise, intensity) keep it.
  mutating func choose(range: Range<Int>, isShort: Bool, books: inout [UInt8]) -> Int {
    let fieldBits: Int32 = isShort ? 3 : 5
    let escape: Int32 = isShort ? 7 : 31
    var total: Int32 = 0
    var first = range.lowerBound
    while first < range.upperBound {
      let book = books[first]
      let isFixed = book > Codebook.escape
      var end = first + 1
      while end < range.upperBound
        && (isFixed ? books[end] == book : books[end] <= Codebook.escape)
      {
        end += 1
      }
      if isFixed {
        total += 4 + fieldBits * (1 + Int32(end - first) / escape)
      } else {
        total += shortestPath(first..<end, fieldBits, escape, &books)
      }
      first = end
    }
    return Int(total)
  }

  private mutating func shortestPath(
    _ bands: Range<Int>, _ fieldBits: Int32, _ escape: Int32, _ books: inout [UInt8]
  ) -> Int32 {
    let lanes = Books(0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15)
    let header = (4 + fieldBits) &<< 4
    var best = (costs[bands.lowerBound] &<< 4) &+ lanes &+ header
    var run = Books(repeating: 1)
    let full = Books(repeating: escape &- 1)
    var cheapest = Self.minimum(best)
    for band in bands.dropFirst() {
      let fresh = ((cheapest & ~15) &+ header) | lanes
      run = run &+ 1
      let isFull = run .> full
      let stay = best &+ Books.zero.replacing(with: fieldBits &<< 4, where: isFull)
      let isFresh = fresh .< stay
      let book = Books(repeating: cheapest & 15)
      cameFrom[band] = lanes.replacing(with: book, where: isFresh)
      // A run that has used up its increment counts towards the next one from zero.
      run = run.replacing(with: 0, where: isFull).replacing(with: 1, where: isFresh)
      best = stay.replacing(with: fresh, where: isFresh) &+ (costs[band] &<< 4)
      cheapest = Self.minimum(best)
    }
    var book = cheapest & 15
    for band in bands.reversed() {
      books[band] = UInt8(truncatingIfNeeded: book)
      book = cameFrom[band][Int(book)]
    }
    return cheapest &>> 4
  }

  @inline(__always)
  private static func minimum(_ value: Books) -> Int32 {
    // Comparing and selecting stays in vectors, where `pointwiseMin` takes lanes one by one.
    let eight = value.lowHalf.replacing(
      with: value.highHalf, where: value.highHalf .< value.lowHalf)
    let four = eight.lowHalf.replacing(with: eight.highHalf, where: eight.highHalf .< eight.lowHalf)
    return min(min(four[0], four[1]), min(four[2], four[3]))
  }

  /// Writes section_data for one group.
  static func write(
    _ books: [UInt8], range: Range<Int>, isShort: Bool, to sink: inout some BitSink
  ) {
    let fieldBits = isShort ? 3 : 5
    let escape = isShort ? 7 : 31
    var first = range.lowerBound
    while first < range.upperBound {
      var end = first + 1
      while end < range.upperBound && books[end] == books[first] { end += 1 }
      sink.put(UInt32(books[first]), count: 4)
      var length = end - first
      while length >= escape {
        sink.put(UInt32(escape), count: fieldBits)
        length -= escape
      }
      sink.put(UInt32(length), count: fieldBits)
      first = end
    }
  }
}
