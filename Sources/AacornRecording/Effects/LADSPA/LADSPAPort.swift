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
  /// Whether it is a switch, which is on above 0.
  var isSwitch = false

  /// A port with no more than a name.
  init(name: String, kind: Kind?) {
    self.name = name
    self.kind = kind
  }

  /// The name as a word.
  var word: String { EffectPlugin.word(for: name) }

  /// Whether what lies between two values makes sense.
  var isSmooth: Bool { !isWhole && !isSwitch }

  /// The bounds at a sampling rate.
  func bounds(sampleRate: Int) -> (lower: Double?, upper: Double?) {
    if isSwitch { return (nil, nil) }
    let factor = isRelative ? Double(sampleRate) : 1
    let (lowest, highest) = (lower.map { $0 * factor }, upper.map { $0 * factor })
    // Some plugins mix them up.
    if let lowest, let highest, lowest > highest { return (highest, lowest) }
    return (lowest, highest)
  }

  /// The nearest value that it may have.
  func nearest(to value: Double, sampleRate: Int) -> Double {
    let bounds = bounds(sampleRate: sampleRate)
    let raised = max(value, bounds.lower ?? value)
    return min(raised, bounds.upper ?? raised)
  }

  /// Whether it may have a value, but for what rounding adds.
  func allows(_ value: Double, sampleRate: Int) -> Bool {
    let distance = (value - nearest(to: value, sampleRate: sampleRate)).magnitude
    return distance <= 1e-6 * max(1, value.magnitude)
  }

  /// The usual value, by what the interface says of hints.
  func usualValue(sampleRate: Int) -> Double {
    let (lower, upper) = bounds(sampleRate: sampleRate)
    var value: Double
    switch usual {
    case .lowest: value = lower ?? 0
    case .low: value = between(lower, upper, 0.25)
    case .middle: value = between(lower, upper, 0.5)
    case .high: value = between(lower, upper, 0.75)
    case .highest: value = upper ?? 0
    case .number(let number): value = number
    case nil: value = 0
    }
    if isWhole { value = value.rounded() }
    return isSwitch ? value : nearest(to: value, sampleRate: sampleRate)
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
    let bounds = bounds(sampleRate: sampleRate)
    func text(_ value: Double) -> String { EffectUnit.number.text(of: value) }
    return switch bounds {
    case (let lower?, let upper?): "Choose from \(text(lower)) to \(text(upper))."
    case (let lower?, nil): "Choose at least \(text(lower))."
    case (nil, let upper?): "Choose at most \(text(upper))."
    case (nil, nil): ""
    }
  }
}
