/// Reads bits, most significant first, and never past the end.
///
/// Past the end it returns zeros and sets `isOverrun`, so a parser needs one check per structure
/// rather than one per field.
@frozen
public struct BitReader: Sendable {
  @usableFromInline let bytes: [UInt8]
  @usableFromInline var next: Int
  @usableFromInline var isBeyondEnd = false
  /// One past the last bit that may be read.
  public let endBit: Int

  /// The position of the next bit to read, counted from the start of `bytes`; never past `endBit`.
  @inlinable
  public var position: Int { next }
  /// Whether anything was read past the end.
  @inlinable
  public var isOverrun: Bool { isBeyondEnd }

  /// Creates a reader of `bytes`, or of the bytes in `range`.
  ///
  /// If an Int has 32 bits, only the first 256 MB can be read, since positions count bits.
  public init(_ bytes: [UInt8], range: Range<Int>? = nil) {
    self.bytes = bytes
    let range = (range ?? 0..<bytes.count).clamped(to: 0..<bytes.count)
    next = range.lowerBound * 8
    endBit = range.upperBound * 8
  }

  init(_ bytes: [UInt8], bits: Range<Int>) {
    precondition(bits.lowerBound >= 0 && bits.upperBound <= bytes.count * 8)
    self.bytes = bytes
    next = bits.lowerBound
    endBit = bits.upperBound
  }

  /// The number of remaining bits.
  public var remaining: Int { endBit - position }

  /// The next 32 bits, without advancing; bytes past the end read as zeros.
  @inlinable @inline(__always)
  public var next32: UInt32 {
    let byte = next &>> 3
    guard byte &+ 8 <= endBit &>> 3 else { return last32 }
    // The initializer has checked that the range is inside the bytes. The next bit stays inside
    // the range: it only moves forward, or to a position that `seek` has checked.
    let word = unsafe bytes.withUnsafeBytes {
      unsafe $0.loadUnaligned(fromByteOffset: byte, as: UInt64.self)
    }
    return UInt32(truncatingIfNeeded: (word.bigEndian &<< UInt64(next & 7)) &>> 32)
  }

  /// The same as `next32`, for fewer than eight remaining bytes.
  @usableFromInline
  var last32: UInt32 {
    var word: UInt64 = 0
    let first = next >> 3
    for offset in 0..<8 {
      word = word << 8 | UInt64(first + offset < (endBit + 7) >> 3 ? bytes[first + offset] : 0)
    }
    return UInt32(truncatingIfNeeded: (word << UInt64(next & 7)) >> 32)
  }

  /// Returns the next `count` bits (0…32), without advancing; bits past the end read as zeros.
  @inlinable @inline(__always)
  public func peek(_ count: Int) -> UInt32 {
    UInt32(truncatingIfNeeded: UInt64(next32) &>> UInt64(truncatingIfNeeded: 32 &- count))
  }

  /// Reads the next `count` (0…32) bits.
  @inlinable @inline(__always)
  public mutating func read(_ count: Int) -> UInt32 {
    let value = peek(count)
    skip(count)
    return value
  }

  /// Reads the next `count` (0…31) bits as an Int.
  @inlinable @inline(__always)
  public mutating func readInt(_ count: Int) -> Int { Int(read(count)) }

  /// Reads one bit as a flag.
  @inlinable @inline(__always)
  public mutating func readFlag() -> Bool { read(1) != 0 }

  /// Advances by `count` bits; a negative count is treated as past the end.
  @inlinable @inline(__always)
  public mutating func skip(_ count: Int) {
    // As an unsigned number, a negative count is past the end. So the position never moves
    // backward.
    if UInt(bitPattern: count) > UInt(bitPattern: endBit &- next) {
      isBeyondEnd = true
      next = endBit
    } else {
      next &+= count
    }
  }

  /// Calls `body` with a pointer to the bytes; bit positions count from this pointer.
  @inline(__always)
  func withBytes<Result>(_ body: (UnsafeRawPointer) -> Result) -> Result {
    unsafe bytes.withUnsafeBytes { bytes in
      // An empty array may have no address; nothing is ever loaded from it.
      unsafe body(bytes.baseAddress ?? UnsafeRawPointer(bitPattern: 1).unsafelyUnwrapped)
    }
  }

  /// Moves to the bit `target`, backward or forward, and clears the overrun.
  mutating func seek(to target: Int) {
    precondition(target >= 0)
    isBeyondEnd = target > endBit
    next = min(target, endBit)
  }

  /// Moves to the next multiple of eight bits after `origin`, a bit position.
  public mutating func alignToByte(relativeTo origin: Int = 0) {
    skip((8 &- (position &- origin) & 7) & 7)
  }
}
