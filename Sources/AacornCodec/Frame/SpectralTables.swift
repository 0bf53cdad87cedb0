/// The tables that convert the next bits of a stream to lines of a spectrum.
///
/// They are built from `SpectralCodewords` when the first stream is read, which takes about 0.1 ms.
struct SpectralTables: Sendable {
  static let shared = SpectralTables()

  /// The lookup tables of all books, one after another.
  ///
  /// An entry for a codeword contains more than its length:
  ///
  ///     31            16 15 13 12     9  8  7     5 4        0
  ///     [    values    ][  0  ][nonzero][0][ signs ][ length   ]
  ///
  /// `values` contains two signed bytes, the first line in the upper byte; for four lines, the index
  /// in `quads`. `signs` is the number of sign bits that follow. `nonzero` has a bit for each line
  /// with a sign, the first in the highest bit.
  private var entries: [UInt32] = []
  /// The index of each book's first entry.
  private var starts = [0]
  /// The lines of all quads, as 16-bit lanes with the first in the lowest bits: 81 signed ones, then
  /// 81 unsigned ones.
  private let quads: [UInt64]
  /// Masks of the negative lanes of a quad; the index is `nonzero`, then the next four bits.
  private let quadSigns: [UInt64]
  /// Masks of the negative lanes of a pair; the index is `nonzero`, then the next two bits.
  private let pairSigns: [UInt32]

  private init() {
    quads = [1, 3].flatMap { book in (0..<81).map { Self.lanes(Self.lines(book, $0)) } }
    quadSigns = Self.signMasks(laneCount: 4)
    pairSigns = Self.signMasks(laneCount: 2).map { UInt32($0) }
    for book in Codebook.all {
      starts.append(entries.count)
      // No codeword has more than 16 bits, so one link is enough.
      let table = LookupTable(of: SpectralCodewords.words(of: book), maxLinkWidth: 8) {
        Self.symbol(book, $0)
      }
      entries.append(contentsOf: table.entries)
    }
  }

  /// Returns the bits of an entry without the length.
  private static func symbol(_ book: Int, _ index: Int) -> UInt32 {
    let lines = lines(book, index)
    var values = index
    if !Codebook.hasQuads(book) { values = (lines[0] & 0xFF) << 8 | lines[1] & 0xFF }
    var (nonzero, signCount) = (0, 0)
    for place in 0..<4 where lines[place] != 0 {
      nonzero |= 8 >> place
      signCount += 1
    }
    return UInt32(values) << 16 | UInt32(nonzero << 9 | signCount << 5)
  }

  /// Returns the lines of a codeword, without signs that follow it; after a pair, zeros.
  private static func lines(_ book: Int, _ index: Int) -> SIMD4<Int> {
    let largest = Codebook.largestMagnitude(book)
    let least = Codebook.hasSigns(book) ? -largest : 0
    let base = largest - least + 1
    let (high, low) = (index / base, index % base)
    if !Codebook.hasQuads(book) { return SIMD4(high + least, low + least, 0, 0) }
    let digits = SIMD4(high / base / base, high / base % base, high % base, low)
    return digits &+ SIMD4(repeating: least)
  }

  private static func lanes(_ values: SIMD4<Int>) -> UInt64 {
    (0..<4).reduce(0) { $0 | UInt64(values[$1] & 0xFFFF) << UInt64(16 * $1) }
  }

  private static func signMasks(laneCount: Int) -> [UInt64] {
    (0..<1 << (2 * laneCount)).map { index in
      var next = index
      var masks = SIMD4<Int>()
      for lane in 0..<laneCount where index >> (2 * laneCount - 1 - lane) & 1 == 1 {
        masks[lane] = -(next >> (laneCount - 1) & 1)
        next <<= 1
      }
      return lanes(masks)
    }
  }

  /// The tables as pointers, for the inner loops.
  @unsafe
  struct Pointers {
    fileprivate let entries: UnsafePointer<UInt32>
    fileprivate let starts: UnsafePointer<Int>
    fileprivate let allQuads: UnsafePointer<UInt64>
    let quadSigns: UnsafePointer<UInt64>
    let pairSigns: UnsafePointer<UInt32>

    /// Returns the lookup table of a book.
    @inline(__always)
    func table(_ book: Int) -> UnsafePointer<UInt32> { unsafe entries + starts[book] }

    /// Returns the lines of the quads of a kind of book.
    @inline(__always)
    func quads(isSigned: Bool) -> UnsafePointer<UInt64> {
      unsafe allQuads + (isSigned ? 0 : 81)
    }
  }

  /// Calls `body` with pointers that are valid until it returns.
  @inline(__always)
  func withUnsafePointers<Result>(_ body: (Pointers) -> Result) -> Result {
    func call(
      entries: UnsafePointer<UInt32>, starts: UnsafePointer<Int>, quads: UnsafePointer<UInt64>,
      quadSigns: UnsafePointer<UInt64>, pairSigns: UnsafePointer<UInt32>
    ) -> Result {
      unsafe body(
        Pointers(
          entries: entries, starts: starts, allQuads: quads, quadSigns: quadSigns,
          pairSigns: pairSigns))
    }
    return unsafe call(
      entries: entries, starts: starts, quads: quads, quadSigns: quadSigns, pairSigns: pairSigns)
  }
}

extension SpectralCodewords {
  /// Returns the codewords of spectral book 1…11.
  static func words(of book: Int) -> [UInt32] {
    [book1, book2, book3, book4, book5, book6, book7, book8, book9, book10, book11][book - 1]
  }
}
