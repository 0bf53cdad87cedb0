/// Chooses how much tonality decoders take away from what they copy (bs_invf_mode; ISO/IEC 14496-3,
/// 4.6.18.6.2).
enum InverseFilteringChoice {
  /// By how many powers of two the modes lower the tonality of a band.
  ///
  /// The inverse filter with bw = 0.75, 0.9 and 0.98, measured with noise and with tones in noise.
  static let reductions: [Float] = [0, 4, 6.7, 11.4]

  /// The part of a middling tonality that copies should have.
  ///
  /// Copied tones are not where they were in the original, and stand out; sines for those that count
  /// cost little.
  private static let middlingPart: Float = 0.4
  /// Above `middling` copies should have more of it, and from `tonal` on all of it.
  private static let middling: Float = 7
  private static let tonal: Float = 11
  /// What a stronger filter must bring, as other things go away with the tones.
  private static let modeCost: Float = 0.3
  /// How much better another mode than the last one must be.
  private static let changeCost: Float = 1

  /// The modes of `count` noise bands that bring copies nearest to the original; `last` has those of
  /// the frame before, if there was one.
  static func modes(
    _ means: NoiseBandMeans, last: SIMD8<UInt8>?, count: Int
  ) -> SIMD8<UInt8> {
    let original = (means.original.lowHalf + means.original.highHalf) * 0.5
    let source = (means.source.lowHalf + means.source.highHalf) * 0.5
    var result = SIMD8<UInt8>()
    for band in 0..<count {
      let above = min(max((original[band] - middling) / (tonal - middling), 0), 1)
      let wanted = original[band] * (middlingPart + (1 - middlingPart) * above)
      var least = Float.greatestFiniteMagnitude
      for mode in 0..<4 {
        let left = max(source[band] - reductions[mode], 0)
        var cost = abs(left - wanted) + modeCost * Float(mode)
        if let last, Int(last[band]) != mode { cost += changeCost }
        if cost < least {
          least = cost
          result[band] = UInt8(mode)
        }
      }
    }
    return result
  }
}
