import AacornSignal

/// A port of a LADSPA plugin, with the plugin's hints on its values.
struct LADSPAPort: Sendable {
  /// The kind of signal and its direction.
  enum Kind: Sendable {
    case audioInput
    case audioOutput
    case control
    case result
  }

  /// The plugin's hint on the default value.
  enum DefaultHint: Sendable {
    case lowest
    case low
    case middle
    case high
    case highest
    case number(Double)
  }

  /// The port's name in the plugin.
  let name: String
  /// The port's kind; nil if it is invalid.
  let kind: Kind?
  /// The minimum value; nil if there is none.
  var lower: Double?
  /// The maximum value; nil if there is none.
  var upper: Double?
  /// The hint on the default value; nil if there is none.
  var defaultHint: DefaultHint?
  /// Whether the bounds are multiples of the sampling rate.
  var isRelative = false
  var isLogarithmic = false
  /// Whether only integers are valid.
  var isInteger = false
  /// Whether the port is a switch: 1 is on and 0 is off.
  var isSwitch = false

  init(name: String, kind: Kind?) {
    self.name = name
    self.kind = kind
  }

  /// Returns a bound as the author wrote it: 0.1 rather than 0.10000000149; nil if it is not
  /// finite.
  static func bound(_ value: Float) -> Double? { value.isFinite ? Double("\(value)") : nil }

  /// The name as a word, which other ports of the plugin may share.
  var word: String { EffectPlugin.word(for: name) }

  /// Whether intermediate values are valid.
  var isSmooth: Bool { !isInteger && !isSwitch }

  /// Returns the bounds at a sampling rate; integers for integer ports.
  func bounds(sampleRate: Int) -> (lower: Double?, upper: Double?) {
    if isSwitch { return (0, 1) }
    let factor = isRelative ? Double(sampleRate) : 1
    var (lowest, highest) = (lower.map { $0 * factor }, upper.map { $0 * factor })
    // Some plugins exchange the two bounds.
    if let first = lowest, let last = highest, first > last { (lowest, highest) = (last, first) }
    if !isInteger { return (lowest, highest) }
    // LADSPA asks plugins to make the bounds slightly wider than the integers.
    let first = lowest.map { ($0 - Self.rounding(of: $0)).rounded(.up) }
    let last = highest.map { ($0 + Self.rounding(of: $0)).rounded(.down) }
    if let first, let last, first > last { return (lowest, highest) }
    return (first, last)
  }

  /// Returns the bounds at a sampling rate; nil instead of a bound of more than ±1e9, which the text
  /// of an effect cannot contain.
  func writableBounds(sampleRate: Int) -> (lower: Double?, upper: Double?) {
    let (lower, upper) = bounds(sampleRate: sampleRate)
    return (lower.flatMap { $0 > -1e9 ? $0 : nil }, upper.flatMap { $0 < 1e9 ? $0 : nil })
  }

  func nearest(to value: Double, sampleRate: Int) -> Double {
    if isSwitch { return value > 0 ? 1 : 0 }
    let bounds = bounds(sampleRate: sampleRate)
    let wanted = isInteger ? value.rounded() : value
    let raised = max(wanted, bounds.lower ?? wanted)
    return min(raised, bounds.upper ?? raised)
  }

  /// Returns whether a value is valid, except for rounding.
  func allows(_ value: Double, sampleRate: Int) -> Bool {
    if isInteger && value != value.rounded() { return false }
    let distance = (value - nearest(to: value, sampleRate: sampleRate)).magnitude
    return distance <= Self.rounding(of: value)
  }

  /// Returns the maximum rounding error of a value.
  private static func rounding(of value: Double) -> Double { 1e-6 * max(1, value.magnitude) }

  /// Returns the default value, as LADSPA defines it for each hint.
  func defaultValue(sampleRate: Int) -> Double {
    let (lower, upper) = bounds(sampleRate: sampleRate)
    let value: Double =
      switch defaultHint {
      case .lowest: lower ?? 0
      case .low: between(lower, upper, 0.25)
      case .middle: between(lower, upper, 0.5)
      case .high: between(lower, upper, 0.75)
      case .highest: upper ?? 0
      case .number(let number): number
      case nil: 0
      }
    // A quarter of the range still means off.
    if isSwitch { return value < 0.5 ? 0 : 1 }
    return nearest(to: value, sampleRate: sampleRate)
  }

  /// Returns the value at a fraction of the range.
  private func between(_ lowest: Double?, _ highest: Double?, _ part: Double) -> Double {
    guard let lower = lowest, let upper = highest else { return lowest ?? highest ?? 0 }
    // The logarithm needs positive bounds.
    guard isLogarithmic, lower > 0 else { return lower + (upper - lower) * part }
    let (first, last) = (
      ElementaryFunctions.preciseLog2(lower), ElementaryFunctions.preciseLog2(upper)
    )
    return ElementaryFunctions.preciseExp2(first + (last - first) * part)
  }

  /// Returns the recovery suggestion with the valid values, as a message.
  func rangeHint(sampleRate: Int) -> String {
    if isSwitch { return "Choose on or off." }
    func text(_ value: Double) -> String { EffectUnit.number.shortText(of: value) }
    let whole = isInteger ? "a whole number " : ""
    return switch writableBounds(sampleRate: sampleRate) {
    case (let lower?, let upper?): "Choose \(whole)from \(text(lower)) to \(text(upper))."
    case (let lower?, nil): "Choose \(whole)\(isInteger ? "of " : "")at least \(text(lower))."
    case (nil, let upper?): "Choose \(whole)\(isInteger ? "of " : "")at most \(text(upper))."
    case (nil, nil): "Choose a \(isInteger ? "whole " : "")number."
    }
  }
}
