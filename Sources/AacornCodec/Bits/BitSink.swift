/// A destination for bits: a writer, or a counter that only adds them up.
///
/// A single description of the bitstream serves both output and counting.
public protocol BitSink {
  /// Takes the low `count` bits of `value`, most significant first; `count` is 0…32.
  mutating func put(_ value: UInt32, count: Int)
  /// Bits taken so far.
  var bitCount: Int { get }
}

extension BitSink {
  /// Adds zero bits up to a multiple of eight, counted from the start.
  @inlinable
  public mutating func alignToByte() {
    put(0, count: (8 - bitCount & 7) & 7)
  }

  /// Takes a number of `count` bits, 0…24, or the nearest one that they can hold.
  mutating func put(nearest number: Int, count: Int) {
    put(UInt32(clamping: min(number, 1 << count - 1)), count: count)
  }
}

/// Counts bits without storing them.
@frozen
public struct BitCounter: BitSink {
  /// Bits counted so far.
  public var bitCount = 0

  /// Starts at zero.
  @inlinable
  public init() {}

  /// Adds `count`.
  @inlinable
  public mutating func put(_ value: UInt32, count: Int) {
    bitCount &+= count
  }
}
