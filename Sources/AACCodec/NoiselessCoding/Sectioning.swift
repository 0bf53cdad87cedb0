import AACFormat

/// Divides the bands of a group into sections that share a codebook, at the lowest total cost
/// (ISO/IEC 14496-3, 4.6.3.2).
///
/// The search is a shortest path: a state is the book of the current band, a step to the next band
/// either keeps the book or pays for a new section. A run's length field grows by another increment
/// every 31 (short windows: 7) bands, priced along the path that survives.
struct Sectioning: Sendable {
  /// Bits of each band in each book, at band·12 + book; `unusable` where a book is too small.
  private(set) var costs = [Int32](
    repeating: 0, count: BandLayout.maximumBandCount * bookCount)
  private var cameFrom = [UInt8](repeating: 0, count: BandLayout.maximumBandCount * bookCount)
  private var best = [Int32](repeating: 0, count: bookCount)
  private var run = [Int32](repeating: 0, count: bookCount)

  private static let bookCount = 12
  private static let unusable: Int32 = 1 << 24

  /// Notes what a band costs in every book that can hold it.
  mutating func setCosts(
    band: Int, quantized: [Int32], start: Int, count: Int, magnitude: Int32, tables: CodeTables
  ) {
    let row = band * Self.bookCount
    let first = SpectrumCoder.firstBook(magnitude: magnitude)
    for book in 0..<Self.bookCount { costs[row + book] = Self.unusable }
    if first == 0 {
      // Every book can say zeros; the ones that say it cheaply are worth considering.
      costs[row] = 0
      costs[row + 1] = Int32(count / 4)
      costs[row + 2] = Int32(count / 4 * 3)
      costs[row + 3] = Int32(count / 4)
      costs[row + 5] = Int32(count / 2)
      costs[row + 7] = Int32(count / 2)
      return
    }
    precondition(start + count <= quantized.count)
    unsafe quantized.withUnsafeBufferPointer { buffer in
      guard let base = buffer.baseAddress else { return }
      unsafe tables.costs.withUnsafeBufferPointer { tuples in
        guard let tuples = tuples.baseAddress else { return }
        // Books far above a band's need never win; the next two pairs can, by joining sections.
        let last = min(11, first + 4)
        for book in stride(from: first, through: last, by: 2) {
          let bits = unsafe SpectrumCoder.bits(base, start, count, firstBook: book, tuples)
          costs[row + book] = Int32(bits & 0xFFFF)
          if book < 11 { costs[row + book + 1] = Int32(bits >> 16) }
        }
      }
    }
  }

  /// Chooses books for bands `range` (one group) and returns the bits of sections and lines.
  ///
  /// Bands whose entry in `books` is above 11 (noise, intensity) keep it.
  mutating func choose(range: Range<Int>, isShort: Bool, books: inout [UInt8]) -> Int {
    guard !range.isEmpty else { return 0 }
    let fieldBits: Int32 = isShort ? 3 : 5
    let escape: Int32 = isShort ? 7 : 31
    let header = 4 + fieldBits
    var total: Int32 = 0
    var first = range.lowerBound
    while first < range.upperBound {
      if books[first] > Codebook.escape {
        let book = books[first]
        var end = first + 1
        while end < range.upperBound && books[end] == book { end += 1 }
        total += header + fieldBits * (Int32(end - first) / escape)
        first = end
        continue
      }
      var end = first + 1
      while end < range.upperBound && books[end] <= Codebook.escape { end += 1 }
      total += shortestPath(first..<end, header, fieldBits, escape, &books)
      first = end
    }
    return Int(total)
  }

  private mutating func shortestPath(
    _ bands: Range<Int>, _ header: Int32, _ fieldBits: Int32, _ escape: Int32,
    _ books: inout [UInt8]
  ) -> Int32 {
    var cheapest: Int32 = 0
    var cheapestBook: UInt8 = 0
    for band in bands {
      let row = band * Self.bookCount
      let isFirst = band == bands.lowerBound
      var nextCheapest = Int32.max
      var nextBook: UInt8 = 0
      for book in 0..<Self.bookCount {
        let cost = costs[row + book]
        let fresh = cheapest + header
        var stay = Int32.max
        if !isFirst {
          stay = best[book] + ((run[book] + 1) % escape == 0 ? fieldBits : 0)
        }
        if stay <= fresh {
          best[book] = stay + cost
          run[book] += 1
          cameFrom[row + book] = UInt8(book)
        } else {
          best[book] = fresh + cost
          run[book] = 1
          cameFrom[row + book] = cheapestBook
        }
        if best[book] < nextCheapest {
          nextCheapest = best[book]
          nextBook = UInt8(book)
        }
      }
      cheapest = nextCheapest
      cheapestBook = nextBook
    }
    var book = cheapestBook
    for band in bands.reversed() {
      books[band] = book
      book = cameFrom[band * Self.bookCount + Int(book)]
    }
    return cheapest
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
