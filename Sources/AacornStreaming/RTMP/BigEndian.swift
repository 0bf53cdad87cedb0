extension [UInt8] {
  /// Appends a number in network byte order.
  mutating func append(bigEndian number: some FixedWidthInteger & UnsignedInteger) {
    append(bigEndian: number, byteCount: number.bitWidth / 8)
  }

  /// Appends the lowest `byteCount` bytes of a number, most significant byte first.
  mutating func append(
    bigEndian number: some FixedWidthInteger & UnsignedInteger, byteCount: Int
  ) {
    for shift in stride(from: 8 * (byteCount - 1), through: 0, by: -8) {
      append(UInt8(truncatingIfNeeded: number >> shift))
    }
  }

  /// Returns the big-endian number in the `byteCount` bytes at `index`, which must exist.
  func bigEndian(at index: Int, byteCount: Int) -> UInt64 {
    var number: UInt64 = 0
    for byte in self[index..<index + byteCount] { number = number << 8 | UInt64(byte) }
    return number
  }
}
