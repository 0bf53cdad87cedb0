/// Conversions of settings from users' units to the units of the loops; not for use in loops.
enum EffectMath {
  /// Returns the factor per frame of an exponential decay to e⁻¹ in `milliseconds`.
  static func decayFactor(milliseconds: Double, sampleRate: Int) -> Double {
    // log₂ e.
    let exponent = -1000 * 1.442_695_040_888_963_4 / (milliseconds * Double(sampleRate))
    return ElementaryFunctions.preciseExp2(max(exponent, -1000))
  }

  /// Returns the number of frames in a time, rounded.
  static func frames(milliseconds: Double, sampleRate: Int) -> Int {
    Int(milliseconds * Double(sampleRate) / 1000 + 0.5)
  }
}
