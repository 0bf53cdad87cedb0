import AacornSignal

/// The predictability of each band of the filter bank, by the method of decoders' inverse filters.
///
/// (ISO/IEC 14496-3, 4.6.18.6.2.) The best prediction from the two previous slots leaves an error;
/// tonality is the ratio of predicted energy to that error. For white noise it is about 1, as the
/// bands overlap; for a tone 20 dB above the noise of its band it is about 100.
struct BandTonality: Sendable {
  /// The number of slots analyzed together: half a frame.
  static let halfSlots = 16
  /// The distance between the halves in `levels` and `energies`: 64 bands and padding for vectors.
  static let width = 68

  /// log₂ of the tonality of band k in half h at h · `width` + k, 0…14: 0 is noise.
  private(set) var levels = [Float](repeating: 0, count: 2 * width)
  /// The sums of squares of each band and half, at the same indices.
  private(set) var energies = [Float](repeating: 0, count: 2 * width)

  /// Measures `bands` in both halves of the frame; may overwrite up to three more bands.
  mutating func measure(_ spectrum: SBRSpectrum, _ bands: Range<Int>) {
    precondition(bands.lowerBound >= 0 && bands.upperBound <= 64)
    let needed = 64 * (SBRSpectrum.pastSlotCount + 2 * Self.halfSlots) + 4
    precondition(spectrum.real.count >= needed && spectrum.imaginary.count >= needed)
    for half in 0..<2 {
      let row = SBRSpectrum.pastSlotCount + half * Self.halfSlots
      unsafe Self.predict(
        real: spectrum.real, imaginary: spectrum.imaginary, from: 64 * row, bands,
        to: half * Self.width, levels: &levels, energies: &energies)
    }
  }

  /// Applies the covariance method to one half, four bands at a time.
  ///
  /// `from` is the index of the half's first slot.
  private static func predict(
    real: UnsafePointer<Float>, imaginary: UnsafePointer<Float>, from: Int,
    _ bands: Range<Int>, to: Int, levels: UnsafeMutablePointer<Float>,
    energies: UnsafeMutablePointer<Float>
  ) {
    var band = bands.lowerBound
    while band < bands.upperBound {
      var index = from &+ band
      let first = unsafe ComplexLanes(real, imaginary, at: index &- 128)
      let second = unsafe ComplexLanes(real, imaginary, at: index &- 64)
      var before = first
      var here = second
      // Σ |x[n]|², Σ x[n]·x̄[n−1] and Σ x[n]·x̄[n−2], without the last two slots.
      var energy = Lanes.zero
      var step = ComplexLanes(Lanes.zero, Lanes.zero)
      var twoSteps = step
      for _ in 2..<halfSlots {
        let next = unsafe ComplexLanes(real, imaginary, at: index)
        energy += next.square
        step += next.timesConjugate(of: here)
        twoSteps += next.timesConjugate(of: before)
        before = here
        here = next
        index &+= 64
      }
      let last = unsafe ComplexLanes(real, imaginary, at: index)
      let end = unsafe ComplexLanes(real, imaginary, at: index &+ 64)
      step += last.timesConjugate(of: here)
      twoSteps += last.timesConjugate(of: before)
      twoSteps += end.timesConjugate(of: here)
      let common = energy + second.square
      energy += last.square
      let sums = Covariances(
        phi01: step + end.timesConjugate(of: last), phi02: twoSteps,
        phi12: step + second.timesConjugate(of: first), phi11: common + last.square,
        phi22: common + first.square)
      let total = energy + end.square
      unsafe levels.store(level(sums, energy: total), to &+ band)
      unsafe energies.store(total, to &+ band)
      band &+= 4
    }
  }

  /// The energy added to errors, so that the rounding of 16-bit samples does not count as a tone.
  private static let floor: Float = 64
  /// The minimum error relative to the energy, 2^−14, above rounding errors.
  private static let minRelativeError: Float = 0.000_061_035_156

  /// Returns log₂ of the predicted energy relative to the error of the best prediction, at least 0.
  ///
  /// `energy` is φ00.
  @inline(__always)
  private static func level(_ sums: Covariances, energy: Lanes) -> Lanes {
    let (alpha0, alpha1) = sums.coefficients(isSingular: sums.determinant .<= Lanes.zero)
    // At the optimum the error is φ00 + α₀·φ̄01 + α₁·φ̄02.
    let change =
      (alpha0.re * sums.phi01.re + alpha0.im * sums.phi01.im)
      + (alpha1.re * sums.phi02.re + alpha1.im * sums.phi02.im)
    let error = energy + change
    let ratio = energy / (error.raised(to: energy * minRelativeError) + floor)
    return ElementaryFunctions.log2((ratio - 1).raised(to: Lanes(repeating: 1)))
  }
}
