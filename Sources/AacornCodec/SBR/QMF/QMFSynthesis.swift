import AacornSignal

/// The synthesis filter bank of 64 bands, or of 32 at the core's rate.
///
/// ISO/IEC 14496-3, 4.6.18.4.2 and 4.6.18.4.3.
///
///     v[n] = Σ Re X[k]/64·exp(iπ/128·(k + ½)(2n − 255)), n < 128
///     out[k] = Σ c[128j + k]·v₋₂ⱼ[k] + c[128j + 64 + k]·v₋₂ⱼ₋₁[64 + k], j < 5
///
/// where v₋ₛ is the vector of s slots ago. With C the DCT-IV of the real parts and S the DST-IV of
/// the imaginary parts, which is a DCT-IV of the reversed (−1)ᵏ Im X[k],
///
///     v[n] = (S[n] − C[n])/64,  v[127−n] = (S[n] + C[n])/64,  n < 64
///
/// With 32 bands, 2n + ½ is l + ½ of a DCT-IV with the lines l = 2n, 127 − 2n, whose inputs are the
/// real parts from the front and the negated imaginary parts from the end.
struct QMFSynthesis: Sendable {
  /// The number of slots before a frame's slots that affect its samples.
  private static let history = 9

  private let bandCount: Int
  /// The vector v of slot s, 2 · `bandCount` values each, from s · 2 · `bandCount`.
  private var rows: [Float]
  private var cosines = QMFTransform(scale: 1.0 / 64)
  private var sines = QMFTransform(scale: 1.0 / 64)
  /// The window c in ten rows of `bandCount`.
  private let window: [Float]

  init(slotCount: Int, isDownsampled: Bool) {
    bandCount = isDownsampled ? 32 : 64
    // The last group of eight slots may extend past the frame.
    rows = [Float](repeating: 0, count: (Self.history + slotCount + 7) * 2 * bandCount)
    if isDownsampled {
      var weights: [Float] = []
      for n in 0..<320 { weights.append(SBRConstants.prototype[2 * n]) }
      window = weights
    } else {
      window = SBRConstants.prototype
    }
  }

  mutating func reset() {
    for i in rows.indices { rows[i] = 0 }
  }

  /// Computes `bandCount` samples for each slot of a frame.
  mutating func synthesize(_ frame: QMFFrame, slotCount: Int, into output: inout [Float]) {
    let width = 2 * bandCount
    precondition(frame.real.count >= QMFFrame.slotCount * 64)
    precondition(frame.imaginary.count >= QMFFrame.slotCount * 64)
    precondition(slotCount <= 32 && rows.count >= (Self.history + slotCount + 7) * width)
    precondition(output.count >= slotCount * bandCount)
    for slot in stride(from: 0, to: slotCount, by: QMFTransform.slots) {
      let offset = (Self.history + slot) * width
      if bandCount == 64 {
        unsafe Self.rotateInput(frame.real, at: slot * 64, oddSign: 1, transform: &cosines)
        unsafe Self.rotateInput(frame.imaginary, at: slot * 64, oddSign: -1, transform: &sines)
        cosines.transform()
        sines.transform()
        unsafe Self.rotateOutput(cosines, sines, into: &rows, at: offset)
      } else {
        unsafe Self.rotateHalfInput(frame.real, frame.imaginary, at: slot * 64, transform: &cosines)
        cosines.transform()
        unsafe Self.rotateHalfOutput(cosines, into: &rows, at: offset)
      }
    }
    if bandCount == 64 {
      unsafe Self.weigh(rows, by: window, bands: 64, slots: slotCount, into: &output)
    } else {
      unsafe Self.weigh(rows, by: window, bands: 32, slots: slotCount, into: &output)
    }
    rows.moveToFront(from: slotCount * width, count: Self.history * width)
  }

  /// Adds ten rows of `bands` for each slot; two slots at a time share the loads of the window.
  @inline(__always)
  private static func weigh(
    _ rows: UnsafePointer<Float>, by window: UnsafePointer<Float>, bands: Int, slots: Int,
    into output: UnsafeMutablePointer<Float>
  ) {
    let width = 2 &* bands
    for slot in stride(from: 0, to: slots, by: 2) {
      let row = unsafe rows + (history &+ slot) &* width
      let out = unsafe output + slot &* bands
      var k = 0
      while k < bands {
        var (first, second) = (Lanes.zero, Lanes.zero)
        var (row, weights) = unsafe (row + k, window + k)
        for _ in 0..<5 {
          let (even, odd) = unsafe (weights.lanes(0), weights.lanes(bands))
          unsafe first += row.lanes(0) * even
          unsafe second += row.lanes(width) * even
          unsafe first += row.lanes(bands &- width) * odd
          unsafe second += row.lanes(bands) * odd
          unsafe row -= 2 &* width
          unsafe weights += width
        }
        unsafe out.store(first, k)
        unsafe out.store(second, k &+ bands)
        k &+= 4
      }
    }
  }

  private static func rotateInput(
    _ bands: UnsafePointer<Float>, at offset: Int, oddSign: Float, transform: inout QMFTransform
  ) {
    unsafe rotateInput(
      bands + offset, oddSign, cosines: transform.inputRotation.cosines,
      sines: transform.inputRotation.sines, real: &transform.real, imaginary: &transform.imaginary)
  }

  /// Reads the real parts of even bands and the imaginary parts of odd bands from the end.
  private static func rotateInput(
    _ bands: UnsafePointer<Float>, _ oddSign: Float, cosines: UnsafePointer<Float>,
    sines: UnsafePointer<Float>, real: UnsafeMutablePointer<Float>,
    imaginary: UnsafeMutablePointer<Float>
  ) {
    @inline(__always)
    func store(_ re: Lanes, _ odd: Lanes, rotation n: Int, half: Int) {
      let (c, s) = unsafe (cosines[n], sines[n])
      let im = odd * oddSign
      unsafe real.store(re * c - im * s, 8 &* n &+ 4 &* half)
      unsafe imaginary.store(re * s + im * c, 8 &* n &+ 4 &* half)
    }
    for half in 0..<2 {
      let block = unsafe bands + 256 &* half
      for quad in 0..<8 {
        let low = unsafe LaneSquare(block, 4 &* quad, stride: 64).transposed
        let high = unsafe LaneSquare(block, 60 &- 4 &* quad, stride: 64).transposed
        store(low.a, high.d, rotation: 2 &* quad, half: half)
        store(low.c, high.b, rotation: 2 &* quad &+ 1, half: half)
        store(high.a, low.d, rotation: 30 &- 2 &* quad, half: half)
        store(high.c, low.b, rotation: 31 &- 2 &* quad, half: half)
      }
    }
  }

  private static func rotateOutput(
    _ cosineLines: QMFTransform, _ sineLines: QMFTransform, into rows: UnsafeMutablePointer<Float>,
    at offset: Int
  ) {
    unsafe rotateOutput(
      yReal: cosineLines.real, yImaginary: cosineLines.imaginary, zReal: sineLines.real,
      zImaginary: sineLines.imaginary, cosines: cosineLines.outputRotation.cosines,
      sines: cosineLines.outputRotation.sines, into: rows + offset)
  }

  /// Computes v from y[k] of the cosines and z[k] of the sines.
  ///
  /// v[2k] = −(Im z + Re y), v[63−2k] = Re z + Im y, v[64+2k] = Re z − Im y,
  /// v[127−2k] = Re y − Im z.
  private static func rotateOutput(
    yReal: UnsafePointer<Float>, yImaginary: UnsafePointer<Float>,
    zReal: UnsafePointer<Float>, zImaginary: UnsafePointer<Float>,
    cosines: UnsafePointer<Float>, sines: UnsafePointer<Float>,
    into rows: UnsafeMutablePointer<Float>
  ) {
    @inline(__always)
    func values(_ k: Int, _ half: Int) -> LaneSquare {
      let index = 8 &* k &+ 4 &* half
      let (c, s) = unsafe (cosines[k], sines[k])
      let (yRe, yIm) = unsafe (yReal.lanes(index), yImaginary.lanes(index))
      let (zRe, zIm) = unsafe (zReal.lanes(index), zImaginary.lanes(index))
      let (a, b) = (yRe * c - yIm * s, yRe * s + yIm * c)
      let (d, e) = (zRe * c - zIm * s, zRe * s + zIm * c)
      return LaneSquare(Lanes.zero - (e + a), d + b, d - b, a - e)
    }
    for half in 0..<2 {
      let out = unsafe rows + 512 &* half
      for quad in 0..<8 {
        let first = values(2 &* quad, half)
        let second = values(2 &* quad &+ 1, half)
        let last = values(31 &- 2 &* quad, half)
        let beforeLast = values(30 &- 2 &* quad, half)
        unsafe LaneSquare(first.a, last.b, second.a, beforeLast.b).transposed
          .store(out, 4 &* quad, stride: 128)
        unsafe LaneSquare(beforeLast.a, second.b, last.a, first.b).transposed
          .store(out, 60 &- 4 &* quad, stride: 128)
        unsafe LaneSquare(first.c, last.d, second.c, beforeLast.d).transposed
          .store(out, 64 &+ 4 &* quad, stride: 128)
        unsafe LaneSquare(beforeLast.c, second.d, last.c, first.d).transposed
          .store(out, 124 &- 4 &* quad, stride: 128)
      }
    }
  }

  private static func rotateHalfInput(
    _ bandsReal: UnsafePointer<Float>, _ bandsImaginary: UnsafePointer<Float>, at offset: Int,
    transform: inout QMFTransform
  ) {
    unsafe rotateHalfInput(
      bandsReal + offset, bandsImaginary + offset, cosines: transform.inputRotation.cosines,
      sines: transform.inputRotation.sines, real: &transform.real, imaginary: &transform.imaginary)
  }

  /// Computes the transform's inputs: X̄[2n] for n < 16, others −Im X[63−2n] + i·Re X[63−2n].
  private static func rotateHalfInput(
    _ bandsReal: UnsafePointer<Float>, _ bandsImaginary: UnsafePointer<Float>,
    cosines: UnsafePointer<Float>, sines: UnsafePointer<Float>, real: UnsafeMutablePointer<Float>,
    imaginary: UnsafeMutablePointer<Float>
  ) {
    @inline(__always)
    func store(_ re: Lanes, _ im: Lanes, rotation n: Int, half: Int) {
      let (c, s) = unsafe (cosines[n], sines[n])
      unsafe real.store(re * c - im * s, 8 &* n &+ 4 &* half)
      unsafe imaginary.store(re * s + im * c, 8 &* n &+ 4 &* half)
    }
    for half in 0..<2 {
      for quad in 0..<8 {
        let offset = 256 &* half &+ 4 &* quad
        let re = unsafe LaneSquare(bandsReal, offset, stride: 64).transposed
        let im = unsafe LaneSquare(bandsImaginary, offset, stride: 64).transposed
        store(re.a, Lanes.zero - im.a, rotation: 2 &* quad, half: half)
        store(re.c, Lanes.zero - im.c, rotation: 2 &* quad &+ 1, half: half)
        store(Lanes.zero - im.b, re.b, rotation: 31 &- 2 &* quad, half: half)
        store(Lanes.zero - im.d, re.d, rotation: 30 &- 2 &* quad, half: half)
      }
    }
  }

  private static func rotateHalfOutput(
    _ lines: QMFTransform, into rows: UnsafeMutablePointer<Float>, at offset: Int
  ) {
    unsafe rotateHalfOutput(
      lines.real, lines.imaginary, cosines: lines.outputRotation.cosines,
      sines: lines.outputRotation.sines, into: rows + offset)
  }

  /// Computes v[k] = −Re y[k] and v[32+k] = −Im y[k].
  private static func rotateHalfOutput(
    _ real: UnsafePointer<Float>, _ imaginary: UnsafePointer<Float>, cosines: UnsafePointer<Float>,
    sines: UnsafePointer<Float>, into rows: UnsafeMutablePointer<Float>
  ) {
    @inline(__always)
    func value(_ k: Int, _ half: Int) -> (re: Lanes, im: Lanes) {
      let (c, s) = unsafe (cosines[k], sines[k])
      let re = unsafe real.lanes(8 &* k &+ 4 &* half)
      let im = unsafe imaginary.lanes(8 &* k &+ 4 &* half)
      return (im * s - re * c, Lanes.zero - (re * s + im * c))
    }
    for half in 0..<2 {
      let out = unsafe rows + 256 &* half
      for quad in 0..<8 {
        let (a, b) = (value(4 &* quad, half), value(4 &* quad &+ 1, half))
        let (c, d) = (value(4 &* quad &+ 2, half), value(4 &* quad &+ 3, half))
        unsafe LaneSquare(a.re, b.re, c.re, d.re).transposed
          .store(out, 4 &* quad, stride: 64)
        unsafe LaneSquare(a.im, b.im, c.im, d.im).transposed
          .store(out, 32 &+ 4 &* quad, stride: 64)
      }
    }
  }
}
