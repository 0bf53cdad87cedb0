/// A numeric parameter of an effect.
public struct EffectParameter: Sendable {
  /// The name of the parameter.
  public let name: String
  /// The unit of the values.
  public let unit: EffectUnit
  /// The valid values.
  public let range: ClosedRange<Double>
  /// The default value.
  public let defaultValue: Double
  /// Whether the textual form always contains the value, without the name.
  let isLeading: Bool

  init(
    _ name: String, in unit: EffectUnit, _ range: ClosedRange<Double>,
    default defaultValue: Double, isLeading: Bool = false
  ) {
    self.name = name
    self.unit = unit
    self.range = range
    self.defaultValue = defaultValue
    self.isLeading = isLeading
  }

  /// Returns whether the value is valid; a slope must be one of the two bounds.
  func allows(_ value: Double) -> Bool {
    unit == .slope ? value == range.lowerBound || value == range.upperBound : range.contains(value)
  }

  /// The recovery suggestion with the valid values, as a message.
  var rangeHint: String {
    let (lowest, highest) = (unit.text(of: range.lowerBound), unit.text(of: range.upperBound))
    return unit == .slope
      ? "Choose \(lowest) or \(highest)." : "Choose from \(lowest) to \(highest)."
  }
}
