/// Bytes of a stream that have arrived and have not been consumed.
///
/// Indices count from the first unused byte; `offset` is that byte's position in the stream.
struct StreamBuffer: Sendable {
  private var bytes: [UInt8] = []
  private var head = 0
  /// The position of the first unused byte in the stream.
  private(set) var offset = 0
  var isFinished = false

  /// The number of unused bytes.
  var count: Int { bytes.count - head }

  subscript(index: Int) -> UInt8 { bytes[head + index] }

  /// Returns whether `count` bytes have arrived or the stream has ended, so a decision is final.
  func isSettled(_ count: Int) -> Bool { isFinished || self.count >= count }

  /// Returns the `byteCount` bytes (0…8) at `index` as one number, or nil if some are missing.
  func word(at index: Int, byteCount: Int, isBigEndian: Bool = true) -> UInt64? {
    guard index + byteCount <= count else { return nil }
    return bytes[head + index..<head + index + byteCount].number(isBigEndian: isBigEndian)
  }

  /// Returns the first index of `byte` in `range`, or the end of the range.
  func firstIndex(of byte: UInt8, in range: Range<Int>) -> Int {
    precondition(range.lowerBound >= 0 && range.upperBound <= count)
    let end = head &+ range.upperBound
    let wanted = SIMD16(repeating: byte)
    return unsafe bytes.withUnsafeBytes { bytes in
      var index = head &+ range.lowerBound
      // Sixteen at a time, because most bytes of a stream are searched.
      while index &+ 16 <= end {
        let found = unsafe bytes.loadUnaligned(fromByteOffset: index, as: SIMD16<UInt8>.self)
        if any(found .== wanted) { break }
        index &+= 16
      }
      while index < end, unsafe bytes[index] != byte { index &+= 1 }
      return index &- head
    }
  }

  func copy(_ range: Range<Int>) -> [UInt8] {
    Array(bytes[head + range.lowerBound..<head + range.upperBound])
  }

  mutating func append(_ new: Span<UInt8>) {
    // Moving only when at least half is consumed keeps the cost per byte constant.
    if head > 0 && head >= count {
      bytes.removeSubrange(0..<head)
      head = 0
    }
    unsafe new.withUnsafeBufferPointer { unsafe bytes.append(contentsOf: $0) }
  }

  /// Consumes the first `count` bytes.
  mutating func drop(_ count: Int) {
    head += count
    // An endless stream may pass 2³¹ bytes where Int has 32 bits.
    offset &+= count
  }
}

extension ArraySlice<UInt8> {
  /// Returns up to eight bytes as a number.
  package func number(isBigEndian: Bool = true) -> UInt64 {
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
