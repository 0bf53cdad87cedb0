/// A factor that moves to its target linearly, sample by sample, independent of block sizes.
struct GainRamp {
  /// The factor of the last sample.
  private(set) var value: Float
  /// The factor at the end of the ramp.
  private(set) var target: Float
  private var start: Float
  /// The samples since the ramp began, negative during a delay, and the ramp's length.
  private var position = 0
  private var length = 0

  /// Creates a constant factor.
  init(_ value: Float) {
    (self.value, target, start) = (value, value, value)
  }

  /// Whether the factor is constant.
  var isSettled: Bool { position == length }

  /// Moves to another factor from the next sample on, reaching it after `length` samples.
  ///
  /// With a delay, the factor stays unchanged for `delay` samples first.
  mutating func move(to target: Float, over length: Int, after delay: Int = 0) {
    if target == self.target { return }
    self.target = target
    start = value
    position = -max(0, delay)
    self.length = max(position < 0 ? 1 : 0, length)
    if self.length == 0 { value = target }
  }

  /// Returns the factor of the next sample.
  mutating func next() -> Float {
    if position < length {
      position += 1
      if position <= 0 { return value }
      value =
        position == length
        ? target : start + (target - start) * (Float(position) / Float(length))
    }
    return value
  }
}
