import AacornSignal

/// A port of a LADSPA plugin, and what the plugin says about its values.
struct LADSPAPort: Sendable {
  /// What goes through it, and in which direction.
  enum Kind: Sendable {
    case audioInput
    case audioOutput
    case control
    case result
  }

  /// What the plugin wants unless something else is said.
  enum Usual: Sendable {
    case lowest
    case low
    case middle
    case high
    case highest
    case number(Double)
  }

  /// Its name, which is text of others.
  let name: String
  /// Its kind; nil if it is none that there is.
  let kind: Kind?
  /// Its least value; nil if there is none.
  var lower: Double?
  /// Its greatest value; nil if there is none.
  var upper: Double?
  /// What it is as a rule; nil if the plugin does not say.
  var usual: Usual?
  /// Whether the bounds are multiples of the sampling rate.
  var isRelative = false
  /// Whether values are even by their ratios.
  var isLogarithmic = false
  /// Whether only whole numbers make sense.
  var isWhole = false
  /// Whether it is a switch: 1 is on and 0 is off.
  var isSwitch = false

  /// A port with no more than a name.
  init(name: String, kind: Kind?) {
    self.name = name
    self.kind = kind
  }

  /// A bound as the plugin's author wrote it: 0.1 rather than 0.10000000149; nil if it is none.
  static func bound(_ value: Float) -> Double? { value.isFinite ? Double("\(value)") : nil }

  /// The name as a word, which other ports of the plugin may have as well.
  var word: String { EffectPlugin.word(for: name) }

  /// Whether what lies between two values makes sense.
  var isSmooth: Bool { !isWhole && !isSwitch }

  /// The bounds at a sampling rate; those of whole numbers are whole.
  func bounds(sampleRate: Int) -> (lower: Double?, upper: Double?) {
    if isSwitch { return (0, 1) }
    let factor = isRelative ? Double(sampleRate) : 1
    var (lowest, highest) = (lower.map { $0 * factor }, upper.map { $0 * factor })
    // Some plugins mix them up.
    if let first = lowest, let last = highest, first > last { (lowest, highest) = (last, first) }
    if !isWhole { return (lowest, highest) }
    // Plugins are to give bounds that are a little wider than those of the whole numbers.
    let first = lowest.map { ($0 - Self.rounding(of: $0)).rounded(.up) }
    let last = highest.map { ($0 + Self.rounding(of: $0)).rounded(.down) }
    if let first, let last, first > last { return (lowest, highest) }
    return (first, last)
  }

  /// The bounds at a sampling rate, but for those that are beyond what text can say.
  func writableBounds(sampleRate: Int) -> (lower: Double?, upper: Double?) {
    let (lower, upper) = bounds(sampleRate: sampleRate)
    return (lower.flatMap { $0 > -1e9 ? $0 : nil }, upper.flatMap { $0 < 1e9 ? $0 : nil })
  }

  /// The nearest value that it may have.
  func nearest(to value: Double, sampleRate: Int) -> Double {
    if isSwitch { return value > 0 ? 1 : 0 }
    let bounds = bounds(sampleRate: sampleRate)
    let wanted = isWhole ? value.rounded() : value
    let raised = max(wanted, bounds.lower ?? wanted)
    return min(raised, bounds.upper ?? raised)
  }

  /// Whether it may have a value, but for what rounding adds.
  func allows(_ value: Double, sampleRate: Int) -> Bool {
    if isWhole && value != value.rounded() { return false }
    let distance = (value - nearest(to: value, sampleRate: sampleRate)).magnitude
    return distance <= Self.rounding(of: value)
  }

  /// What rounding may add to a value.
  private static func rounding(of value: Double) -> Double { 1e-6 * max(1, value.magnitude) }

  /// The usual value, by what the interface says of hints.
  func usualValue(sampleRate: Int) -> Double {
    let (lower, upper) = bounds(sampleRate: sampleRate)
    let value: Double =
      switch usual {
      case .lowest: lower ?? 0
      case .low: between(lower, upper, 0.25)
      case .middle: between(lower, upper, 0.5)
      case .high: between(lower, upper, 0.75)
      case .highest: upper ?? 0
      case .number(let number): number
      case nil: 0
      }
    // A quarter of the way is still off.
    if isSwitch { return value < 0.5 ? 0 : 1 }
    return nearest(to: value, sampleRate: sampleRate)
  }

  /// What lies between the bounds, by this part of the way.
  private func between(_ lowest: Double?, _ highest: Double?, _ part: Double) -> Double {
    guard let lower = lowest, let upper = highest else { return lowest ?? highest ?? 0 }
    // The logarithm of what is not above 0 would be none.
    guard isLogarithmic, lower > 0 else { return lower + (upper - lower) * part }
    let (first, last) = (
      ElementaryFunctions.preciseLog2(lower), ElementaryFunctions.preciseLog2(upper)
    )
    return ElementaryFunctions.preciseExp2(first + (last - first) * part)
  }

  /// What to choose, as a sentence.
  func choice(sampleRate: Int) -> String {
    if isSwitch { return "Choose on or off." }
    func text(_ value: Double) -> String { EffectUnit.number.shortText(of: value) }
    let whole = isWhole ? "a whole number " : ""
    return switch writableBounds(sampleRate: sampleRate) {
    case (let lower?, let upper?): "Choose \(whole)from \(text(lower)) to \(text(upper))."
    case (let lower?, nil): "Choose \(whole)\(isWhole ? "of " : "")at least \(text(lower))."
    case (nil, let upper?): "Choose \(whole)\(isWhole ? "of " : "")at most \(text(upper))."
    case (nil, nil): "Choose a \(isWhole ? "whole " : "")number."
    }
  }
}
