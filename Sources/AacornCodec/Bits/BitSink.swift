/// A destination for bits: a writer, or a counter that only adds up their number.
///
/// The same code can therefore write a structure and count its bits.
public protocol BitSink {
  /// Appends the low `count` (0…32) bits of `value`, most significant first.
  mutating func put(_ value: UInt32, count: Int)
  /// The number of bits appended.
  var bitCount: Int { get }
}

extension BitSink {
  /// Adds zero bits up to a multiple of eight, counted from the start.
  @inlinable
  public mutating func alignToByte() {
    put(0, count: (8 - bitCount & 7) & 7)
  }

  /// Appends a codeword, which has its length in the top 8 bits.
  @inline(__always)
  mutating func put(codeword word: UInt32) {
    put(word & 0xFF_FFFF, count: Int(word >> 24))
  }

  /// Appends a number as `count` (0…24) bits, clamped to the range of the field.
  mutating func put(nearest number: Int, count: Int) {
    put(UInt32(clamping: min(number, 1 << count - 1)), count: count)
  }
}

/// Counts bits without storing them.
@frozen
public struct BitCounter: BitSink {
  /// The number of bits counted.
  public var bitCount = 0

  /// Creates a counter at zero.
  @inlinable
  public init() {}

  /// Adds `count`.
  @inlinable
  public mutating func put(_ value: UInt32, count: Int) {
    bitCount &+= count
  }
}
