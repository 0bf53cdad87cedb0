/// The costs of tuples in the eight most suitable codebooks, as vectors: lane = book.
///
/// A band's lines are looked up once, tuple by tuple. One addition adds the costs in eight books.
///
///     largest magnitude   tuple     digits          lanes
///     1                   quad      −1…1            books 1…8
///     2                   quad      −2…2            books 3…10
///     3, 4                pair      −4…4            books 5…12
///     more                pair      0…16, no sign   books 5…12
///
/// There is no book 12; its lane, like that of a book too small for the band, is unused.
struct BookCosts: Sendable {
  typealias Books = SIMD8<Int16>

  /// The vectors of all tuples, table after table.
  private var entries: [Int16] = []

  private static let quads1 = 0
  private static let quads2 = 81
  private static let pairs4 = 81 + 625
  private static let pairs16 = 81 + 625 + 81

  /// A cost higher than any band's, and small enough for 16 bits after a sum.
  static let unusableCost: Int16 = 4000

  init(_ codewords: Codewords) {
    entries.reserveCapacity((Self.pairs16 + 289) * 8)
    appendQuads(codewords, largest: 1, firstBook: 1)
    appendQuads(codewords, largest: 2, firstBook: 3)
    appendPairs(codewords, -4...4)
    appendPairs(codewords, 0...16)
  }

  private mutating func appendQuads(_ codewords: Codewords, largest: Int, firstBook: Int) {
    let digits = -largest...largest
    for a in digits {
      for b in digits {
        for c in digits {
          for d in digits {
            for book in firstBook..<firstBook + 8 {
              entries.append(Int16(codewords.bits(a, b, c, d, book: book)))
            }
          }
        }
      }
    }
  }

  private mutating func appendPairs(_ codewords: Codewords, _ digits: ClosedRange<Int>) {
    for a in digits {
      for b in digits {
        for book in 5..<13 {
          let isHeld =
            Codebook.all.contains(book)
            && max(abs(a), abs(b)) <= Codebook.largestMagnitude(book)
          entries.append(isHeld ? Int16(codewords.bits(a, b, book: book)) : 0)
        }
      }
    }
  }

  /// Returns the first book in the vector that `sum` returns for this magnitude: 1, 3 or 5.
  @inline(__always)
  static func firstLane(magnitude: Int32) -> Int {
    magnitude <= 1 ? 1 : (magnitude == 2 ? 3 : 5)
  }

  /// Returns the bits of `count` lines (a multiple of four) in eight books, without escapes.
  @inline(__always)
  func sum(_ q: UnsafePointer<Int32>, _ count: Int, magnitude: Int32) -> Books {
    unsafe entries.withUnsafeBufferPointer { entries in
      guard let base = entries.baseAddress else { return .zero }
      switch magnitude {
      case ...1:
        return unsafe Self.quads(q, count: count, costs: base + (Self.quads1 + 40) * 8, digits: 3)
      case 2:
        return unsafe Self.quads(q, count: count, costs: base + (Self.quads2 + 312) * 8, digits: 5)
      // With constant arguments, the compiler makes a separate loop for small magnitudes.
      case ...4:
        return unsafe Self.pairs(
          isSmall: true, q, count: count, costs: base + (Self.pairs4 + 40) * 8)
      default:
        let sum = unsafe Self.pairs(isSmall: false, q, count: count, costs: base + Self.pairs16 * 8)
        return sum &+ Self.tooSmall(magnitude)
      }
    }
  }

  /// Marks the books that are too small for `magnitude`, which is above 4, as unusable.
  @inline(__always)
  private static func tooSmall(_ magnitude: Int32) -> Books {
    let n = unusableCost
    if magnitude <= 7 { return Books(n, n, 0, 0, 0, 0, 0, 0) }
    if magnitude <= 12 { return Books(n, n, n, n, 0, 0, 0, 0) }
    return Books(n, n, n, n, n, n, 0, 0)
  }

  @inline(__always)
  private static func quads(
    _ q: UnsafePointer<Int32>, count: Int, costs zero: UnsafePointer<Int16>, digits: Int
  ) -> Books {
    var sum = Books.zero
    var n = 0
    while n < count {
      let pair0 = unsafe Int(q[n]) &* digits &+ Int(q[n + 1])
      let pair1 = unsafe Int(q[n + 2]) &* digits &+ Int(q[n + 3])
      unsafe sum &+= entry(zero, pair0 &* (digits &* digits) &+ pair1)
      n &+= 4
    }
    return sum
  }

  @inline(__always)
  private static func pairs(
    isSmall: Bool, _ q: UnsafePointer<Int32>, count: Int, costs zero: UnsafePointer<Int16>
  ) -> Books {
    var sum = Books.zero
    var n = 0
    while n < count {
      let (a, b) = unsafe (q[n], q[n + 1])
      let index =
        isSmall ? Int(a) &* 9 &+ Int(b) : Int(min(abs(a), 16)) &* 17 &+ Int(min(abs(b), 16))
      unsafe sum &+= entry(zero, index)
      n &+= 2
    }
    return sum
  }

  @inline(__always)
  private static func entry(_ zero: UnsafePointer<Int16>, _ index: Int) -> Books {
    unsafe UnsafeRawPointer(zero + index &* 8).loadUnaligned(as: Books.self)
  }
}
