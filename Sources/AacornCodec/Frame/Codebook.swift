/// The meaning of a section's codebook number (ISO/IEC 14496-3, table 4.108).
///
///     book         lines in a codeword   largest magnitude   signs
///     1, 2         4                     1                   in the codeword
///     3, 4         4                     2                   after it
///     5, 6         2                     4                   in the codeword
///     7, 8         2                     7                   after it
///     9, 10        2                     12                  after it
///     11           2                     16, an escape       after it
public enum Codebook {
  /// All lines are zero and nothing is sent.
  @inlinable public static var zero: UInt8 { 0 }
  /// The largest book, with escapes.
  @inlinable public static var escape: UInt8 { 11 }
  /// A reserved number.
  @inlinable public static var reserved: UInt8 { 12 }
  /// Noise of a given energy replaces the lines.
  @inlinable public static var noise: UInt8 { 13 }
  /// The left channel's lines, scaled and inverted.
  @inlinable public static var intensityOutOfPhase: UInt8 { 14 }
  /// The left channel's lines, scaled.
  @inlinable public static var intensityInPhase: UInt8 { 15 }

  /// Returns whether lines are coded with the book, or are all zero.
  @inlinable
  public static func isSpectral(_ book: UInt8) -> Bool { book <= escape }

  /// Returns whether the book has codewords: lines are coded with it, and not all are zero.
  @inlinable
  public static func hasCodewords(_ book: UInt8) -> Bool { book != zero && book <= escape }

  /// Returns whether the band is a scaled copy of the left channel's band.
  @inlinable
  public static func isIntensity(_ book: UInt8) -> Bool { book >= intensityOutOfPhase }

  /// The smallest book with codewords; a placeholder for any of them until sections are chosen.
  static var smallest: UInt8 { 1 }
  /// The magnitude in book 11 that marks an escape sequence, and the lowest to need one.
  static var escapeMark: Int32 { 16 }

  static var all: ClosedRange<Int> { Int(smallest)...Int(escape) }

  /// Returns whether a codeword of a book contains four lines; otherwise it contains two.
  @inline(__always)
  static func hasQuads(_ book: Int) -> Bool { book <= 4 }

  /// Returns whether a book's codewords include the signs of the lines.
  @inline(__always)
  static func hasSigns(_ book: Int) -> Bool { book <= 2 || book == 5 || book == 6 }

  /// Returns the largest magnitude in a book; in book 11 it is the mark of an escape sequence.
  static func largestMagnitude(_ book: Int) -> Int {
    switch book {
    case 1, 2: 1
    case 3, 4: 2
    case 5, 6: 4
    case 7, 8: 7
    case 9, 10: 12
    default: Int(escapeMark)
    }
  }

  /// Returns the first of the two books that suit lines up to this magnitude.
  @inline(__always)
  static func first(magnitude: Int32) -> Int {
    switch magnitude {
    case ...0: 0
    case 1: 1
    case 2: 3
    case ...4: 5
    case ...7: 7
    case ...12: 9
    default: 11
    }
  }

  /// Returns the length in bits of a magnitude's escape sequence: 2N + 5 with N = ⌊log₂ v⌋ − 4.
  ///
  /// Magnitudes below 16 have none.
  @inline(__always)
  static func escapeLength(_ magnitude: Int32) -> UInt32 {
    guard magnitude >= escapeMark else { return 0 }
    return UInt32(truncatingIfNeeded: 2 &* (31 &- magnitude.leadingZeroBitCount) &- 3)
  }
}

/// The coding of a section's length (ISO/IEC 14496-3, table 4.52).
///
/// It is a sequence of fields of a few bits, of which all but the last have the maximum value.
struct SectionLength {
  /// The width of a field in bits.
  let fieldWidth: Int

  init(isShort: Bool) {
    fieldWidth = isShort ? 3 : 5
  }

  /// The maximum value of a field, after which another field follows.
  var escape: Int { 1 << fieldWidth - 1 }
}
