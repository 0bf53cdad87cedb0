/// A number that an effect has.
public struct EffectParameter: Sendable {
  /// The word for it.
  public let name: String
  /// What it counts.
  public let unit: EffectUnit
  /// What it may be.
  public let range: ClosedRange<Double>
  /// What it is unless something else is said.
  public let usual: Double
  /// Whether it is always written, and without its name.
  let isLeading: Bool

  init(
    _ name: String, _ unit: EffectUnit, _ range: ClosedRange<Double>, _ usual: Double,
    isLeading: Bool = false
  ) {
    self.name = name
    self.unit = unit
    self.range = range
    self.usual = usual
    self.isLeading = isLeading
  }

  /// Whether it may have this value.
  func allows(_ value: Double) -> Bool {
    unit == .slope ? value == range.lowerBound || value == range.upperBound : range.contains(value)
  }

  /// What to choose, as a sentence.
  var choice: String {
    let (lowest, highest) = (unit.text(of: range.lowerBound), unit.text(of: range.upperBound))
    return unit == .slope
      ? "Choose \(lowest) or \(highest)." : "Choose from \(lowest) to \(highest)."
  }
}
