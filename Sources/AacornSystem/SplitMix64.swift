/// Pseudorandom numbers in a reproducible sequence: the generator “SplitMix64”, a scrambled counter.
package struct SplitMix64: Sendable {
  @usableFromInline var state: UInt64

  @inlinable
  package init(seed: UInt64) { state = seed }

  /// Returns 64 random bits.
  @inlinable
  package mutating func next() -> UInt64 {
    state &+= 0x9E37_79B9_7F4A_7C15
    var bits = state
    bits = (bits ^ (bits >> 30)) &* 0xBF58_476D_1CE4_E5B9
    bits = (bits ^ (bits >> 27)) &* 0x94D0_49BB_1331_11EB
    return bits ^ (bits >> 31)
  }

  /// Returns an integer in the range, which must have fewer than 2^63 values.
  package mutating func integer(in range: ClosedRange<Int>) -> Int {
    let count = UInt64(range.upperBound - range.lowerBound) + 1
    return range.lowerBound + Int(next() % count)
  }

  /// Returns a number from −1 up to, but not including, 1.
  @inlinable
  package mutating func sample() -> Double {
    Double(Int64(bitPattern: next()) >> 11) * 0x1p-52
  }
}
