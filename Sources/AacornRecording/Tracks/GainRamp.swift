/// A factor that goes to its target in a straight line, sample by sample, however the sound is cut.
struct GainRamp {
  /// The factor of the last sample.
  private(set) var value: Float
  /// Where it goes.
  private(set) var target: Float
  private var start: Float
  /// Samples since the ramp began, less than 0 before that, and in all of it.
  private var position = 0
  private var length = 0

  /// A factor that stays.
  init(_ value: Float) {
    (self.value, target, start) = (value, value, value)
  }

  /// Whether the factor stays as it is.
  var isSettled: Bool { position == length }

  /// Goes to another factor from the next sample on, which arrives there after `length` samples.
  ///
  /// With a delay, it stays as it is for so many samples before.
  mutating func move(to target: Float, over length: Int, after delay: Int = 0) {
    if target == self.target { return }
    self.target = target
    start = value
    position = -max(0, delay)
    self.length = max(position < 0 ? 1 : 0, length)
    if self.length == 0 { value = target }
  }

  /// The factor of the next sample.
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
