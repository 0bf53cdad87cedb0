/// A factor that goes to its target in a straight line, sample by sample, however the sound is cut.
struct GainRamp {
  /// The factor of the last sample.
  private(set) var value: Float
  /// Where it goes.
  private(set) var target: Float
  private var start: Float
  /// Samples since the ramp began, and in all of it.
  private var position = 0
  private var length = 0

  /// A factor that stays.
  init(_ value: Float) {
    (self.value, target, start) = (value, value, value)
  }

  /// Whether the factor stays as it is.
  var isSettled: Bool { position == length }

  /// Goes to another factor from the next sample on, which arrives there after `length` samples.
  mutating func move(to target: Float, over length: Int) {
    if target == self.target { return }
    self.target = target
    start = value
    position = 0
    self.length = max(0, length)
    if length <= 0 { value = target }
  }

  /// The factor of the next sample.
  mutating func next() -> Float {
    if position < length {
      position += 1
      value =
        position == length
        ? target : start + (target - start) * (Float(position) / Float(length))
    }
    return value
  }
}
