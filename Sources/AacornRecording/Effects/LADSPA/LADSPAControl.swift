/// A control of a LADSPA plugin that moves to its target in steps.
struct LADSPAControl: Sendable {
  let port: Int
  /// Whether intermediate values are valid.
  let isSmooth: Bool
  /// The value for the next block.
  private(set) var value: Double
  private var target: Double

  init(port: Int, isSmooth: Bool, value: Double) {
    self.port = port
    self.isSmooth = isSmooth
    self.value = value
    target = value
  }

  /// Sets another target; reaches it immediately if no intermediate values are valid.
  mutating func aim(at target: Double) {
    self.target = target
    if !isSmooth { value = target }
  }

  /// Moves by one of the `remainingStepCount` remaining steps.
  mutating func step(of remainingStepCount: Int) {
    value = remainingStepCount > 1 ? value + (target - value) / Double(remainingStepCount) : target
  }
}
