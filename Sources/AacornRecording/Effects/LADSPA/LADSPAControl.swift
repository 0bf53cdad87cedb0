/// A control of a LADSPA plugin, on its way to where it shall be.
struct LADSPAControl: Sendable {
  /// The number of its port.
  let port: Int
  /// Whether it may be anywhere on the way.
  let isSmooth: Bool
  /// What it is in the next block.
  private(set) var value: Double
  /// What it shall be.
  private var target: Double

  /// A control that is where it shall be.
  init(port: Int, isSmooth: Bool, value: Double) {
    self.port = port
    self.isSmooth = isSmooth
    self.value = value
    target = value
  }

  /// Sets off for another value; at once where nothing lies between.
  mutating func aim(at target: Double) {
    self.target = target
    if !isSmooth { value = target }
  }

  /// Goes one of so many steps that are left.
  mutating func step(of rest: Int) {
    value = rest > 1 ? value + (target - value) / Double(rest) : target
  }
}
