/// Gain in decibels and as a factor.
package enum Gain {
  /// The factor that makes samples louder by this many decibels.
  package static func factor(decibels: Double) -> Float {
    let octaves = decibels / 6.020_599_913_279_624
    let whole = octaves.rounded(.down)
    let x = (octaves - whole) * 0.693_147_180_559_945_3
    var term = 1.0
    var sum = 1.0
    for index in 1...14 {
      term *= x / Double(index)
      sum += term
    }
    return Float(Double(sign: .plus, exponent: Int(whole), significand: sum))
  }

  /// The decibels in `6`, `-3.5` or `+6dB`; nil if it is not a number or is outside −60 to 60.
  package static func parse(_ text: String) -> Double? {
    var number = text[...]
    if number.lowercased().hasSuffix("db") { number = number.dropLast(2) }
    let isPlain = number.utf8.allSatisfy { byte in
      "+-.0123456789".utf8.contains(byte)
    }
    guard isPlain, let decibels = Double(number), abs(decibels) <= 60 else { return nil }
    return decibels
  }
}
