/// Random numbers that follow from a seed (SplitMix64).
package struct SeededNumbers: RandomNumberGenerator, Sendable {
  private var state: UInt64

  /// Creates the numbers of a seed.
  package init(seed: some BinaryInteger) { state = UInt64(truncatingIfNeeded: seed) }

  package mutating func next() -> UInt64 {
    state &+= 0x9E37_79B9_7F4A_7C15
    var value = state
    value = (value ^ (value >> 30)) &* 0xBF58_476D_1CE4_E5B9
    value = (value ^ (value >> 27)) &* 0x94D0_49BB_1331_11EB
    return value ^ (value >> 31)
  }

  /// Returns a number from 0 to below a bound.
  package mutating func below(_ bound: Int) -> Int {
    Int.random(in: 0..<max(1, bound), using: &self)
  }

  /// Returns a sample from −1 to 1.
  package mutating func sample() -> Double { Double(Int64(bitPattern: next())) * 0x1p-63 }

  /// Returns samples from −`amplitude` to `amplitude`.
  package mutating func floats(_ count: Int, amplitude: Float) -> [Float] {
    (0..<count).map { _ in Float.random(in: -amplitude...amplitude, using: &self) }
  }

  /// Returns random bytes.
  package mutating func bytes(_ count: Int) -> [UInt8] {
    (0..<count).map { _ in UInt8(truncatingIfNeeded: next()) }
  }
}
