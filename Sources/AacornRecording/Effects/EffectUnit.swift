import AacornSystem

/// The unit of a parameter, and its textual form.
public enum EffectUnit: Sendable {
  /// `80`, `80Hz`, `6.5kHz` or `6.5k`.
  case hertz
  /// `-45` or `-45dB`.
  case decibels
  /// Decibels per octave: `12` or `24`.
  case slope
  /// `-16` or `-16LUFS`.
  case loudness
  /// `10`, `10ms` or `1.5s`.
  case milliseconds
  /// `3` or `3:1`.
  case ratio
  /// A number without a unit.
  case number

  /// Suffixes of numbers in lower case, the longest first, with their factors.
  private var endings: [(text: String, factor: Double)] {
    switch self {
    case .hertz: [("khz", 1000), ("hz", 1), ("k", 1000)]
    case .decibels, .slope: [("db", 1)]
    case .loudness: [("lufs", 1)]
    case .milliseconds: [("ms", 1), ("s", 1000)]
    case .ratio: [(":1", 1)]
    case .number: []
    }
  }

  /// Returns the value of a textual form; nil if it is invalid.
  func value(of text: String) -> Double? {
    var number = text.lowercased()
    var factor = 1.0
    if let ending = endings.first(where: { number.hasSuffix($0.text) }) {
      number.removeLast(ending.text.count)
      factor = ending.factor
    }
    let isNumeric = number.utf8.allSatisfy { "+-.0123456789".utf8.contains($0) }
    guard isNumeric, let value = Double(number), value.magnitude < 1e9 else { return nil }
    return Self.rounded(value * factor)
  }

  /// Returns the value rounded to the textual form's six decimals.
  static func rounded(_ value: Double) -> Double { (value * 1e6).rounded() / 1e6 }

  /// Returns the textual form of a value.
  package func text(of value: Double) -> String {
    var number = QuantityText.fixed(value, decimals: 6)
    while number.hasSuffix("0") { number.removeLast() }
    if number.hasSuffix(".") { number.removeLast() }
    return number + suffix
  }

  /// The unit after a number.
  package var suffix: String {
    switch self {
    case .hertz: "Hz"
    case .decibels, .slope: "dB"
    case .loudness: "LUFS"
    case .milliseconds: "ms"
    case .ratio: ":1"
    case .number: ""
    }
  }
}
