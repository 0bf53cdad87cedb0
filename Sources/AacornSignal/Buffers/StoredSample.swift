/// How one number is stored in a buffer: in a word of its own, of which it may fill a part.
public struct StoredSample: Equatable, Sendable {
  /// What kind of number it is.
  @frozen
  public enum Kind: Equatable, Sendable {
    /// IEEE 754, single or double precision.
    case floatingPoint
    /// Two's complement.
    case signed
    /// From 0 up, with silence in the middle.
    case unsigned
  }

  /// The kind of number.
  public let kind: Kind
  /// Bytes of the word, 1…8.
  public let byteCount: Int
  /// Bits of the number, 1…64.
  public let bitCount: Int
  /// Whether the most significant byte comes first.
  public let isBigEndian: Bool
  /// Whether the number is in the upper bits of its word; false if it fills it.
  public let isAlignedHigh: Bool
  /// Bits after the binary point; 0 if full scale is ±1, whatever the number of bits.
  public let fractionBitCount: Int

  /// A number of this kind; nil if the word cannot hold it.
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

  /// The same as a format of files; nil if files have no such samples.
  public var format: SampleFormat? {
    guard bitCount == byteCount * 8, fractionBitCount == 0 else { return nil }
    switch kind {
    case .floatingPoint: return SampleFormat(floatBytes: byteCount, bigEndian: isBigEndian)
    case .signed: return SampleFormat(integerBytes: byteCount, bigEndian: isBigEndian)
    case .unsigned: return byteCount == 1 ? SampleFormat(.unsigned8) : nil
    }
  }

  /// The number in a word, with full scale at ±1; what else is in the word makes no difference.
  func value(of word: UInt64) -> Float {
    if kind == .floatingPoint {
      if byteCount == 4 { return Float(bitPattern: UInt32(truncatingIfNeeded: word)) }
      return Float(Double(bitPattern: word))
    }
    // The number goes to the top, which drops what is above it, and down again, which drops what is
    // below it and repeats its sign.
    var top = word << UInt64(isAlignedHigh ? 64 - byteCount * 8 : 64 - bitCount)
    if kind == .unsigned { top ^= 1 << 63 }
    let number = Int64(bitPattern: top) >> Int64(64 - bitCount)
    let exponent = fractionBitCount > 0 ? fractionBitCount : bitCount - 1
    return Float(number) * Float(bitPattern: UInt32(127 - exponent) << 23)
  }

  /// The word that begins at an offset.
  func word(in bytes: Span<UInt8>, at offset: Int) -> UInt64 {
    var word: UInt64 = 0
    for index in 0..<byteCount {
      let place = isBigEndian ? index : byteCount - 1 - index
      word = word << 8 | UInt64(bytes[offset + place])
    }
    return word
  }
}
