import AacornSignal

/// The encoder's analysis filter bank of 64 bands (ISO/IEC 14496-3, 4.6.18.4).
///
/// It is the counterpart of ``QMFSynthesis``.
///
///     z[n] = x[n]·c[n], newest sample first; u[n] = Σ z[n + 128j], n < 128
///     X[k] = Σ u[n]·exp(iπ/128·(k + ½)(2n − 1)), k < 64
///
/// Levels do not depend on the constant after 2n; with −1, as in the decoder's bank, a synthesis
/// restores the samples, delayed by 577. With v[m] = u[m + 1] and v[127] = −u[0],
///
///     Re X[k] = Σ (v[m] − v[127−m])·cos(π/64·(k + ½)(m + ½)), m < 64
///     Im X[k] = Σ (v[m] + v[127−m])·sin(π/64·(k + ½)(m + ½))
///
/// which are a DCT-IV and a DST-IV; the latter is (−1)ᵏ times the DCT-IV of its reversed inputs.
struct QMFAnalysis64: Sendable {
  /// The number of samples before a slot's samples that affect its bands.
  static let history = 576

  /// The number of slots that are transformed together, each in a lane for cosines and a lane for
  /// sines.
  private static let slots = 4

  /// Four slots side by side: u[128 − i] at 4i, where u[128] is −u[0].
  private var folded = [Float](repeating: 0, count: 4 * 129)
  private var transform = QMFTransform(scale: 1)
  /// The window c in five blocks of 128, each reversed, in the order of time.
  private let window: [Float]

  init() {
    var weights: [Float] = []
    for block in 0..<5 {
      for i in 0..<128 {
        weights.append(SBRConstants.prototype[128 * block + 127 - i])
      }
    }
    window = weights
  }

  /// Computes `slotCount` rows of 64 bands, a multiple of four, from the row `firstRow` on.
  ///
  /// The newest samples of the first slot are the 64 from `start` on; the samples before them must
  /// exist, too. The filter bank keeps no state.
  mutating func analyze(
    _ samples: [Float], from start: Int, slotCount: Int, into real: inout [Float],
    _ imaginary: inout [Float], firstRow: Int
  ) {
    precondition(slotCount >= 0 && slotCount % Self.slots == 0 && firstRow >= 0)
    precondition(start >= Self.history && samples.count >= start + 64 * slotCount)
    precondition(real.count >= 64 * (firstRow + slotCount) && imaginary.count >= real.count)
    for slot in stride(from: 0, to: slotCount, by: Self.slots) {
      unsafe Self.fold(samples, from: start + 64 * slot, window: window, into: &folded)
      unsafe Self.rotateInput(
        folded, cosines: transform.inputRotation.cosines, sines: transform.inputRotation.sines,
        real: &transform.real, imaginary: &transform.imaginary)
      transform.transform()
      unsafe transform.withResult { result in
        unsafe Self.rotateOutput(
          result, real: &real, imaginary: &imaginary, at: 64 * (firstRow + slot))
      }
    }
  }

  /// Windows and folds four slots of 64 samples, whose first are at `from`.
  private static func fold(
    _ samples: UnsafePointer<Float>, from: Int, window: UnsafePointer<Float>,
    into folded: UnsafeMutablePointer<Float>
  ) {
    var i = 0
    while i < 128 {
      var sums = LaneSquare(Lanes.zero, Lanes.zero, Lanes.zero, Lanes.zero)
      var (block, weights) = unsafe (samples + (from &+ i &- 64), window + i)
      for _ in 0..<5 {
        let weight = unsafe weights.lanes(0)
        unsafe sums.a += block.lanes(0) * weight
        unsafe sums.b += block.lanes(64) * weight
        unsafe sums.c += block.lanes(128) * weight
        unsafe sums.d += block.lanes(192) * weight
        unsafe block -= 128
        unsafe weights += 128
      }
      unsafe sums.transposed.store(folded, 4 &* i &+ 4, stride: 4)
      i &+= 4
    }
    unsafe folded.store(Lanes.zero - folded.lanes(4 &* 128), 0)
  }

  /// Stores the cosines' part in the first four lanes and the sines' part in the others.
  private static func rotateInput(
    _ folded: UnsafePointer<Float>, cosines: UnsafePointer<Float>,
    sines: UnsafePointer<Float>, real: UnsafeMutablePointer<Float>,
    imaginary: UnsafeMutablePointer<Float>
  ) {
    for n in 0..<32 {
      let (c, s) = unsafe (cosines[n], sines[n])
      // v of 2n, 127 − 2n, 63 − 2n and 64 + 2n.
      let first = unsafe folded.lanes(4 &* (127 &- 2 &* n))
      let last = unsafe folded.lanes(8 &* n)
      let low = unsafe folded.lanes(4 &* (64 &+ 2 &* n))
      let high = unsafe folded.lanes(4 &* (63 &- 2 &* n))
      let (yRe, yIm) = (first - last, low - high)
      let (zRe, zIm) = (low + high, first + last)
      unsafe real.store(yRe * c - yIm * s, 8 &* n)
      unsafe imaginary.store(yRe * s + yIm * c, 8 &* n)
      unsafe real.store(zRe * c - zIm * s, 8 &* n &+ 4)
      unsafe imaginary.store(zRe * s + zIm * c, 8 &* n &+ 4)
    }
  }

  /// Computes the bands from y[k] of the cosines and z[k] of the sines.
  ///
  /// Bands 2k are Re y[k] and Re z[k]; bands 63 − 2k are −Im y[k] and Im z[k].
  private static func rotateOutput(
    _ result: QMFTransform.Result, real: UnsafeMutablePointer<Float>,
    imaginary: UnsafeMutablePointer<Float>, at offset: Int
  ) {
    @inline(__always)
    func values(_ k: Int) -> LaneSquare {
      let (c, s) = unsafe (result.cosines[k], result.sines[k])
      let (yRe, yIm) = unsafe (result.real.lanes(8 &* k), result.imaginary.lanes(8 &* k))
      let (zRe, zIm) = unsafe (
        result.real.lanes(8 &* k &+ 4), result.imaginary.lanes(8 &* k &+ 4)
      )
      let (a, b) = (yRe * c - yIm * s, yRe * s + yIm * c)
      let (d, e) = (zRe * c - zIm * s, zRe * s + zIm * c)
      return LaneSquare(a, Lanes.zero - b, d, e)
    }
    for quad in 0..<8 {
      let (first, second) = (values(2 &* quad), values(2 &* quad &+ 1))
      let (beforeLast, last) = (values(30 &- 2 &* quad), values(31 &- 2 &* quad))
      let (low, high) = (offset &+ 4 &* quad, offset &+ 60 &- 4 &* quad)
      unsafe LaneSquare(first.a, last.b, second.a, beforeLast.b).transposed
        .store(real, low, stride: 64)
      unsafe LaneSquare(first.c, last.d, second.c, beforeLast.d).transposed
        .store(imaginary, low, stride: 64)
      unsafe LaneSquare(beforeLast.a, second.b, last.a, first.b).transposed
        .store(real, high, stride: 64)
      unsafe LaneSquare(beforeLast.c, second.d, last.c, first.d).transposed
        .store(imaginary, high, stride: 64)
    }
  }
}
