/// Reads bits, most significant first, and never past the end.
///
/// Past the end it returns zeros and sets `isOverrun`, so a parser needs one check a structure
/// rather than one a field.
@frozen
public struct BitReader: Sendable {
  @usableFromInline let bytes: [UInt8]
  /// One past the last bit that may be read.
  public let endBit: Int
  /// The next bit to be read, counted from the start of `bytes`.
  public private(set) var position: Int
  /// Whether something was read that is not there.
  public private(set) var isOverrun = false

  /// Reads `bytes`, or the part of it given by `range`.
  public init(_ bytes: [UInt8], range: Range<Int>? = nil) {
    self.bytes = bytes
    let range = range ?? 0..<bytes.count
    precondition(range.lowerBound >= 0 && range.upperBound <= bytes.count)
    position = range.lowerBound * 8
    endBit = range.upperBound * 8
  }

  /// Bits left.
  public var remaining: Int { max(0, endBit - position) }

  /// The next `count` bits (0…32) without moving on; zeros stand for bits past the end.
  public func peek(_ count: Int) -> UInt32 {
    var value: UInt64 = 0
    let first = position >> 3
    let limit = (endBit + 7) >> 3
    for offset in 0..<5 {
      let byte = first + offset < limit ? bytes[first + offset] : 0
      value = value << 8 | UInt64(byte)
    }
    value <<= UInt64(24 + position & 7)
    guard count > 0 else { return 0 }
    return UInt32(truncatingIfNeeded: value >> UInt64(64 - count))
  }

  /// Takes the next `count` bits, 0…32.
  public mutating func read(_ count: Int) -> UInt32 {
    let value = peek(count)
    skip(count)
    return value
  }

  /// Takes the next `count` bits as an Int.
  public mutating func readInt(_ count: Int) -> Int { Int(read(count)) }

  /// Takes one bit as a flag.
  public mutating func readFlag() -> Bool { read(1) != 0 }

  /// Moves on by `count` bits.
  public mutating func skip(_ count: Int) {
    if count > endBit - position {
      isOverrun = true
      position = endBit
    } else {
      position += count
    }
  }

  /// Moves to the next multiple of eight bits after `origin`, a bit position.
  public mutating func alignToByte(relativeTo origin: Int = 0) {
    skip((8 - (position - origin) & 7) & 7)
  }
}
