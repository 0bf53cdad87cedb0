/// Pseudorandom numbers for noise substitution and concealment.
///
/// They depend only on the unit, the channel and the index, so that decoding may begin at any unit
/// and gives the same samples on every platform.
struct NoiseGenerator {
  private var state: UInt32

  /// Creates a generator for a band of a window, which `bandIndex` numbers, in a channel of a unit.
  init(unit: Int, channel: Int, bandIndex: Int) {
    // Rounds of multiplication and folding spread every bit of the position over all of the state.
    var seed = UInt64(truncatingIfNeeded: unit) &* 0x9E37_79B9_7F4A_7C15
    seed ^= UInt64(truncatingIfNeeded: channel << 16 ^ bandIndex) &* 0xC2B2_AE3D_27D4_EB4F
    seed ^= seed >> 29
    seed &*= 0x1656_67B1_9E37_79F9
    seed ^= seed >> 32
    state = UInt32(truncatingIfNeeded: seed)
  }

  /// Returns the next number, uniform in ±2³¹.
  @inline(__always)
  mutating func next() -> Float {
    state = state &* 1_664_525 &+ 1_013_904_223
    return Float(Int32(bitPattern: state))
  }

  /// Returns whether the next number is negative.
  @inline(__always)
  mutating func nextSign() -> Bool {
    state = state &* 1_664_525 &+ 1_013_904_223
    return state >> 31 != 0
  }
}
