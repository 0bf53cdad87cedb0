import AacornSignal

/// Copies low bands to high ones and reduces their tonality (ISO/IEC 14496-3, 4.6.18.6).
///
/// The prediction coefficients α of each low band measure its tonality:
///
///     X_high[k][n] = X_low[p][n] + bw·α₀[p]·X_low[p][n − 1] + bw²·α₁[p]·X_low[p][n − 2]
struct SBRGenerator: Sendable {
  /// The widths of a row of 32 low bands, and of a row of up to 48 high bands plus a vector.
  static let lowWidth = 32
  static let highWidth = 52

  /// The result: slot n, band kₓ + m is at n · `highWidth` + m.
  private(set) var real: [Float]
  private(set) var imaginary: [Float]
  /// The coefficients α₀ and α₁ of each low band, four rows of 36 bands.
  private var alphas = [Float](repeating: 0, count: 4 * 36)
  /// The factor bw of each high band.
  private var chirps = [Float](repeating: 0, count: highWidth)

  init() {
    real = [Float](repeating: 0, count: QMFFrame.slotCount * Self.highWidth)
    imaginary = real
  }

  /// Computes the slots `slots` of the high bands.
  ///
  /// The arrays of low bands begin with two slots before slot 0; `frameSlots` is the number of
  /// slots in a frame.
  mutating func generate(
    _ lowReal: [Float], _ lowImaginary: [Float], tables: SBRTables, chirps: SIMD8<Float>,
    frameSlots: Int, slots: Range<Int>
  ) {
    let needed = Self.lowWidth * (QMFFrame.slotCount + 2) + 4
    precondition(lowReal.count >= needed && lowImaginary.count >= needed)
    precondition(frameSlots <= 32 && slots.lowerBound >= 0)
    precondition(slots.upperBound <= QMFFrame.slotCount && tables.lowest <= 32)
    unsafe Self.predict(
      lowReal, lowImaginary, bands: tables.lowest, slots: frameSlots + 6, into: &alphas)
    for band in 0..<tables.noiseCount {
      for index in tables.noise[band] - tables.start..<tables.noise[band + 1] - tables.start {
        self.chirps[index] = chirps[band]
      }
    }
    unsafe Self.withInput(
      real: lowReal, imaginary: lowImaginary, alphas: alphas, chirps: self.chirps
    ) { input in
      for patch in tables.patches {
        unsafe Self.copy(patch, slots: slots, from: input, real: &real, imaginary: &imaginary)
      }
    }
    // Bands of a dropped patch, which was too narrow, stay empty.
    let end = tables.patches.last.map { $0.target + $0.width } ?? 0
    for band in end..<tables.count {
      for slot in slots {
        real[slot * Self.highWidth + band] = 0
        imaginary[slot * Self.highWidth + band] = 0
      }
    }
  }

  /// The low bands, and the coefficients and factors of `copy`.
  @unsafe
  private struct Input {
    let real, imaginary, alphas, chirps: UnsafePointer<Float>
  }

  @inline(__always)
  private static func withInput(
    real: UnsafePointer<Float>, imaginary: UnsafePointer<Float>, alphas: UnsafePointer<Float>,
    chirps: UnsafePointer<Float>, _ body: (Input) -> Void
  ) {
    unsafe body(Input(real: real, imaginary: imaginary, alphas: alphas, chirps: chirps))
  }

  /// Applies the covariance method to `slots` slots (4.6.18.6.2), four bands at a time.
  private static func predict(
    _ lowReal: UnsafePointer<Float>, _ lowImaginary: UnsafePointer<Float>, bands: Int, slots: Int,
    into alphas: UnsafeMutablePointer<Float>
  ) {
    var band = 0
    while band < bands {
      let (real, imaginary) = unsafe (lowReal + band, lowImaginary + band)
      let first = unsafe ComplexLanes(real, imaginary, at: 0)
      let second = unsafe ComplexLanes(real, imaginary, at: lowWidth)
      var before = first
      var here = second
      var next = unsafe ComplexLanes(real, imaginary, at: 2 &* lowWidth)
      // Σ x[n+1]·x̄[n], Σ |x[n]|² and Σ x[n+1]·x̄[n−1] from the second slot to the last but one.
      var step = next.timesConjugate(of: here)
      var energy = here.square
      var twoSteps = next.timesConjugate(of: before)
      for slot in 2..<slots {
        before = here
        here = next
        next = unsafe ComplexLanes(real, imaginary, at: (slot &+ 1) &* lowWidth)
        step += next.timesConjugate(of: here)
        energy += here.square
        twoSteps += next.timesConjugate(of: before)
      }
      let last = unsafe ComplexLanes(real, imaginary, at: (slots &+ 1) &* lowWidth)
      twoSteps += last.timesConjugate(of: here)
      let sums = Covariances(
        phi01: step + last.timesConjugate(of: next), phi02: twoSteps,
        phi12: step + second.timesConjugate(of: first), phi11: energy + next.square,
        phi22: energy + first.square)
      let (alpha0, alpha1) = sums.coefficients(isSingular: sums.determinant .== Lanes.zero)
      unsafe alphas.store(alpha0.re, band)
      unsafe alphas.store(alpha0.im, band &+ 36)
      unsafe alphas.store(alpha1.re, band &+ 72)
      unsafe alphas.store(alpha1.im, band &+ 108)
      band &+= 4
    }
  }

  /// Copies a patch; overwrites up to three more bands, which the next patch overwrites again.
  private static func copy(
    _ patch: SBRTables.Patch, slots: Range<Int>, from input: Input,
    real: UnsafeMutablePointer<Float>, imaginary: UnsafeMutablePointer<Float>
  ) {
    for band in stride(from: 0, to: patch.width, by: 4) {
      let (source, target) = (patch.source &+ band, patch.target &+ band)
      let alpha = unsafe input.alphas + source
      let chirp = unsafe input.chirps.lanes(target)
      let (re0, im0) = unsafe (alpha.lanes(0) * chirp, alpha.lanes(36) * chirp)
      let (re1, im1) = unsafe (
        alpha.lanes(72) * (chirp * chirp), alpha.lanes(108) * (chirp * chirp)
      )
      let fromReal = unsafe input.real + source
      let fromImaginary = unsafe input.imaginary + source
      var before = unsafe ComplexLanes(fromReal, fromImaginary, at: slots.lowerBound &* lowWidth)
      var here = unsafe ComplexLanes(
        fromReal, fromImaginary, at: (slots.lowerBound &+ 1) &* lowWidth)
      for slot in slots {
        let next = unsafe ComplexLanes(fromReal, fromImaginary, at: (slot &+ 2) &* lowWidth)
        let re = next.re + (here.re * re0 - here.im * im0) + (before.re * re1 - before.im * im1)
        let im = next.im + (here.im * re0 + here.re * im0) + (before.im * re1 + before.re * im1)
        let row = slot &* highWidth &+ target
        unsafe real.store(re, row)
        unsafe imaginary.store(im, row)
        before = here
        here = next
      }
    }
  }
}

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
