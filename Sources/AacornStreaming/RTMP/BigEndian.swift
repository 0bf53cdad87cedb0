extension [UInt8] {
  /// Adds a number, its highest byte first, as networks have it.
  mutating func append(bigEndian number: some FixedWidthInteger & UnsignedInteger) {
    append(bigEndian: number, byteCount: number.bitWidth / 8)
  }

  /// Adds the lowest `byteCount` bytes of a number, the highest of them first.
  mutating func append(
    bigEndian number: some FixedWidthInteger & UnsignedInteger, byteCount: Int
  ) {
    for shift in stride(from: 8 * (byteCount - 1), through: 0, by: -8) {
      append(UInt8(truncatingIfNeeded: number >> shift))
    }
  }

  /// The number in `byteCount` bytes at `index`, the highest first; they must be there.
  func bigEndian(at index: Int, byteCount: Int) -> UInt64 {
    var number: UInt64 = 0
    for byte in self[index..<index + byteCount] { number = number << 8 | UInt64(byte) }
    return number
  }
}
