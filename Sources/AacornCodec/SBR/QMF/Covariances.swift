import AacornSignal

/// The covariances φ(i, j) = Σ x[n−i]·x̄[n−j] of four bands (ISO/IEC 14496-3, 4.6.18.6.2).
struct Covariances {
  let phi01, phi02, phi12: ComplexLanes
  let phi11, phi22: Lanes

  /// The determinant of the equations for the coefficients.
  @inline(__always)
  var determinant: Lanes { phi22 * phi11 - phi12.square / 1.000001 }

  /// Returns the coefficients α₀ and α₁ of the best prediction from the two previous slots.
  ///
  /// α₁ is zero where the equations are singular. Both are zero where the prediction is unstable or
  /// NaN, and so where φ11 is zero.
  @inline(__always)
  func coefficients(isSingular: SIMDMask<SIMD4<Int32>>) -> (ComplexLanes, ComplexLanes) {
    let zero = Lanes.zero
    let product = phi01 * phi12
    var re1 = (product.re - phi02.re * phi11) / determinant
    var im1 = (product.im - phi02.im * phi11) / determinant
    re1.replace(with: zero, where: isSingular)
    im1.replace(with: zero, where: isSingular)
    let correction = ComplexLanes(re1, im1).timesConjugate(of: phi12)
    let re0 = zero - (phi01.re + correction.re) / phi11
    let im0 = zero - (phi01.im + correction.im) / phi11
    let limit = Lanes(repeating: 16)
    let isStable = (re0 * re0 + im0 * im0 .< limit) .& (re1 * re1 + im1 * im1 .< limit)
    return (
      ComplexLanes(
        zero.replacing(with: re0, where: isStable), zero.replacing(with: im0, where: isStable)),
      ComplexLanes(
        zero.replacing(with: re1, where: isStable), zero.replacing(with: im1, where: isStable))
    )
  }
}
