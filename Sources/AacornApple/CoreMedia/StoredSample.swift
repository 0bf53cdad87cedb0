public import AacornSignal

/// The format of a number in a buffer; its word may have more bits than the number.
public struct StoredSample: Equatable, Sendable {
  /// The kind of number.
  @frozen
  public enum Kind: Equatable, Sendable {
    /// IEEE 754, single or double precision.
    case floatingPoint
    /// Two's complement.
    case signed
    /// Unsigned integers, with silence in the middle of the range.
    case unsigned
  }

  /// The kind of number.
  public let kind: Kind
  /// The size of the word in bytes, 1…8.
  public let byteCount: Int
  /// The size of the number in bits, 1…64.
  public let bitCount: Int
  /// Whether the most significant byte comes first.
  public let isBigEndian: Bool
  /// Whether the number is in the upper bits of its word; false if it fills the word.
  public let isAlignedHigh: Bool
  /// The number of bits after the binary point; 0 if the whole range of the number means −1…1.
  public let fractionBitCount: Int

  /// Creates a format; nil if the word cannot contain the number.
  public init?(
    _ kind: Kind, byteCount: Int, bitCount: Int, isBigEndian: Bool, isAlignedHigh: Bool = false,
    fractionBitCount: Int = 0
  ) {
    guard (1...8).contains(byteCount), (1...byteCount * 8).contains(bitCount),
      (0...63).contains(fractionBitCount)
    else { return nil }
    if kind == .floatingPoint {
      guard byteCount == 4 || byteCount == 8, bitCount == byteCount * 8 else { return nil }
    }
    self.kind = kind
    self.byteCount = byteCount
    self.bitCount = bitCount
    self.isBigEndian = isBigEndian
    self.isAlignedHigh = isAlignedHigh && bitCount < byteCount * 8
    self.fractionBitCount = kind == .floatingPoint ? 0 : fractionBitCount
  }

  /// The equivalent sample format of audio files; nil if there is none.
  public var format: SampleFormat? {
    guard bitCount == byteCount * 8, fractionBitCount == 0 else { return nil }
    switch kind {
    case .floatingPoint: return SampleFormat(floatBytes: byteCount, bigEndian: isBigEndian)
    case .signed: return SampleFormat(integerBytes: byteCount, bigEndian: isBigEndian)
    case .unsigned: return byteCount == 1 ? SampleFormat(.unsigned8) : nil
    }
  }

  /// Returns the number in a word, with full scale at ±1; ignores the other bits of the word.
  func value(of word: UInt64) -> Float {
    if kind == .floatingPoint {
      if byteCount == 4 { return Float(bitPattern: UInt32(truncatingIfNeeded: word)) }
      return Float(Double(bitPattern: word))
    }
    // The first shift drops the bits above the number. The second one drops the bits below it and
    // extends the sign.
    var top = word << UInt64(isAlignedHigh ? 64 - byteCount * 8 : 64 - bitCount)
    if kind == .unsigned { top ^= 1 << 63 }
    let number = Int64(bitPattern: top) >> Int64(64 - bitCount)
    let exponent = fractionBitCount > 0 ? fractionBitCount : bitCount - 1
    return Float(number) * Float(bitPattern: UInt32(127 - exponent) << 23)
  }

  func word(in bytes: Span<UInt8>, at offset: Int) -> UInt64 {
    var word: UInt64 = 0
    for index in 0..<byteCount {
      let byteIndex = isBigEndian ? index : byteCount - 1 - index
      word = word << 8 | UInt64(bytes[offset + byteIndex])
    }
    return word
  }
}
