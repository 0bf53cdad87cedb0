/// Up to eight numbers that move to other ones in a straight line, within 10 ms.
struct ParameterRamp: Sendable {
  /// The values for the next frame.
  private(set) var values: SIMD8<Double>
  private var target: SIMD8<Double>
  private var step = SIMD8<Double>.zero
  private var rest = 0
  private let length: Int

  /// Values that have been reached.
  init(_ values: SIMD8<Double>, sampleRate: Int) {
    self.values = values
    target = values
    length = max(1, sampleRate / 100)
  }

  /// Sets off for other values, from where it is.
  mutating func aim(at target: SIMD8<Double>) {
    guard target != self.target else { return }
    self.target = target
    step = (target - values) / Double(length)
    rest = length
  }

  /// Goes there at once.
  mutating func jump() {
    values = target
    rest = 0
  }

  /// Moves on by one frame if it is on its way; returns for how many frames the values hold, at most
  /// `limit`.
  ///
  /// That is one on the way, and all of them otherwise: blocks of any length see the same values.
  mutating func advance(_ limit: Int) -> Int {
    guard rest > 0 else { return limit }
    rest -= 1
    values = rest == 0 ? target : values + step
    return 1
  }
}
