extension ArraySlice<UInt8> {
  /// Returns up to eight bytes as a number.
  func number(isBigEndian: Bool = true) -> UInt64 {
    var value: UInt64 = 0
    for byte in self { value = value << 8 | UInt64(byte) }
    return isBigEndian ? value : value.byteSwapped >> (64 - 8 * count)
  }

  /// Returns pairs of bytes as units of UTF-16; a single byte at the end is ignored.
  func units(isBigEndian: Bool) -> [UInt16] {
    stride(from: startIndex, to: endIndex - 1, by: 2).map { index in
      UInt16(truncatingIfNeeded: self[index..<index + 2].number(isBigEndian: isBigEndian))
    }
  }
}
