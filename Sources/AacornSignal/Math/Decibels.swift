/// Levels on a logarithmic scale, relative to full scale.
///
/// Uses only additions, multiplications and divisions, so results are the same on every platform.
public enum Decibels {
  /// 20 · log₁₀ 2: the decibels of a doubled amplitude.
  static let perOctave = 6.020_599_913_279_624

  /// Returns the amplitude at a level.
  package static func amplitude(_ decibels: Double) -> Double {
    ElementaryFunctions.preciseExp2(decibels / perOctave)
  }

  /// Returns the level of an amplitude, 20·log₁₀; −∞ for 0.
  public static func of(amplitude: Float) -> Float {
    guard amplitude.isFinite else { return amplitude.magnitude }
    guard amplitude != 0 else { return -.infinity }
    let logarithm = ElementaryFunctions.preciseLog2(Double(amplitude.magnitude))
    return Float(perOctave * logarithm)
  }

  /// Returns the level of a mean square, 10·log₁₀; −∞ for 0.
  public static func of(power: Float) -> Float {
    of(amplitude: power) / 2
  }
}
