import AacornSignal

/// Gain in decibels and as a factor.
package enum Gain {
  package static func factor(decibels: Double) -> Float {
    Float(Decibels.amplitude(decibels))
  }

  /// Returns the decibels in `6`, `-3.5` or `+6dB`; nil if it is not a number or is outside −60 to
  /// 60.
  package static func parse(_ text: String) -> Double? {
    var number = text[...]
    if number.lowercased().hasSuffix("db") { number = number.dropLast(2) }
    let isNumeric = number.utf8.allSatisfy { byte in
      "+-.0123456789".utf8.contains(byte)
    }
    guard isNumeric, let decibels = Double(number), abs(decibels) <= 60 else { return nil }
    return decibels
  }
}
