/// Chooses the inverse filtering that reduces the tonality of copied bands (bs_invf_mode).
///
/// ISO/IEC 14496-3, 4.6.18.6.2.
enum InverseFilteringChoice {
  /// The reductions of a band's tonality by the modes, in powers of two.
  ///
  /// Measured with the inverse filter at bw = 0.75, 0.9 and 0.98, with noise and with tones in
  /// noise.
  static let reductions: [Float] = [0, 4, 6.7, 11.4]

  /// The fraction of a medium tonality that copies should keep.
  ///
  /// Copied tones have other frequencies than in the original, and stand out; added sines for the
  /// important ones cost little.
  private static let mediumFraction: Float = 0.4
  /// Above `medium` (log₂ of the tonality) copies should keep more of the tonality, and from
  /// `tonal` on all of it.
  private static let medium: Float = 7
  private static let tonal: Float = 11
  /// The improvement, in powers of two, that each step to a stronger filter must bring: the filter
  /// also removes other components.
  private static let modeCost: Float = 0.3
  /// The improvement, in powers of two, that justifies another mode than in the previous frame.
  private static let changeCost: Float = 1

  /// Returns the modes of `count` noise bands that bring copies closest to the original.
  ///
  /// `last` contains the previous frame's modes, if there was one.
  static func modes(
    _ means: NoiseBandMeans, last: SIMD8<UInt8>?, count: Int
  ) -> SIMD8<UInt8> {
    let original = (means.original.lowHalf + means.original.highHalf) * 0.5
    let source = (means.source.lowHalf + means.source.highHalf) * 0.5
    var result = SIMD8<UInt8>()
    for band in 0..<count {
      let above = min(max((original[band] - medium) / (tonal - medium), 0), 1)
      let wanted = original[band] * (mediumFraction + (1 - mediumFraction) * above)
      var minimum = Float.greatestFiniteMagnitude
      for mode in 0..<4 {
        let left = max(source[band] - reductions[mode], 0)
        var cost = abs(left - wanted) + modeCost * Float(mode)
        if let last, Int(last[band]) != mode { cost += changeCost }
        if cost < minimum {
          minimum = cost
          result[band] = UInt8(mode)
        }
      }
    }
    return result
  }
}
