import AacornSystem

/// What a parameter of an effect counts, and how it is written.
public enum EffectUnit: Sendable {
  /// `80`, `80Hz`, `6.5kHz` or `6.5k`.
  case hertz
  /// `-45` or `-45dB`.
  case decibels
  /// Decibels by octave: `12` or `24`.
  case slope
  /// `-16` or `-16LUFS`.
  case loudness
  /// `10`, `10ms` or `1.5s`.
  case milliseconds
  /// `3` or `3:1`.
  case ratio
  /// `0.3` or `30%`.
  case part
  /// A number alone.
  case number

  /// Ends of numbers in small letters, the longest first, and what one of them is.
  private var endings: [(text: String, factor: Double)] {
    switch self {
    case .hertz: [("khz", 1000), ("hz", 1), ("k", 1000)]
    case .decibels, .slope: [("db", 1)]
    case .loudness: [("lufs", 1)]
    case .milliseconds: [("ms", 1), ("s", 1000)]
    case .ratio: [(":1", 1)]
    case .part: [("%", 0.01)]
    case .number: []
    }
  }

  /// The value that is written so; nil if it is none.
  func value(of text: String) -> Double? {
    var number = text.lowercased()
    var factor = 1.0
    if let ending = endings.first(where: { number.hasSuffix($0.text) }) {
      number.removeLast(ending.text.count)
      factor = ending.factor
    }
    let isPlain = number.utf8.allSatisfy { "+-.0123456789".utf8.contains($0) }
    guard isPlain, let value = Double(number), value.magnitude < 1e9 else { return nil }
    return Self.rounded(value * factor)
  }

  /// The nearest value that can be written: with six decimals.
  static func rounded(_ value: Double) -> Double { (value * 1e6).rounded() / 1e6 }

  /// The value as people write it.
  package func text(of value: Double) -> String { text(of: value, decimals: 6) }

  /// The value as lists show it: with seven digits, behind which nobody looks, or as a whole number.
  package func shortText(of value: Double) -> String {
    var decimals = 6
    var limit = 10.0
    while decimals > 0, value.magnitude >= limit {
      decimals -= 1
      limit *= 10
    }
    return text(of: value, decimals: decimals)
  }

  private func text(of value: Double, decimals: Int) -> String {
    var number = QuantityText.fixed(value, decimals: decimals)
    if decimals > 0 {
      while number.hasSuffix("0") { number.removeLast() }
      if number.hasSuffix(".") { number.removeLast() }
    }
    return number + suffix
  }

  /// What stands behind a number.
  package var suffix: String {
    switch self {
    case .hertz: "Hz"
    case .decibels, .slope: "dB"
    case .loudness: "LUFS"
    case .milliseconds: "ms"
    case .ratio: ":1"
    case .part, .number: ""
    }
  }
}
