/// Levels on a logarithmic scale, relative to full scale.
///
/// Uses only additions, multiplications and divisions, so results are the same on every platform.
public enum Decibels {
  /// The level of an amplitude, 20·log₁₀; −∞ for 0.
  public static func of(amplitude: Float) -> Float {
    guard amplitude.isFinite else { return amplitude.magnitude }
    guard amplitude != 0 else { return -.infinity }
    // 20 · log₁₀ 2.
    return Float(6.020_599_913_279_624 * log2(Double(amplitude.magnitude)))
  }

  /// The level of a mean square, 10·log₁₀; −∞ for 0.
  public static func of(power: Float) -> Float {
    of(amplitude: power) / 2
  }

  /// The logarithm to base 2 of a positive, normal number, to within about 10^−12.
  static func log2(_ x: Double) -> Double {
    let bits = x.bitPattern
    var exponent = Int(bits >> 52 & 0x7FF) - 1023
    var significand = Double(bitPattern: bits & 0xF_FFFF_FFFF_FFFF | 0x3FF0_0000_0000_0000)
    // Center the significand on 1, where the series is short.
    if significand > 1.414_213_562_373_095 {
      significand /= 2
      exponent += 1
    }
    // ln m = 2 (z + z³/3 + z⁵/5 + …) with z = (m − 1) / (m + 1), here at most 0.172.
    let z = (significand - 1) / (significand + 1)
    let square = z * z
    var sum = 0.0
    var order = 15.0
    while order > 0 {
      sum = sum * square + 1 / order
      order -= 2
    }
    // 2 / ln 2.
    return Double(exponent) + 2.885_390_081_777_926_8 * z * sum
  }
}
