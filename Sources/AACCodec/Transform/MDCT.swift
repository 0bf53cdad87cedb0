/// The forward modified discrete cosine transform of ISO/IEC 14496-3, 4.6.11, for N = 2048 and 256.
///
///     X[k] = 2 Σ w[n]·x[n]·cos(2π/N·(n + n₀)(k + ½)),  n₀ = (N/2 + 1)/2
///
/// The windowed block a b c d (quarters) folds to −cᵣ−d, a−bᵣ (r = reversed), whose DCT-IV is the
/// MDCT; the DCT-IV is a Fourier transform of N/4 points between two rotations.
struct MDCT: Sendable {
  private var fft = FFT()
  private var folded = [Float](repeating: 0, count: 1024)
  private var real = [Float](repeating: 0, count: 512)
  private var imaginary = [Float](repeating: 0, count: 512)
  private let longTwiddle = Twiddle(count: 512)
  private let longTwiddleOut = Twiddle(count: 512, scale: 2)
  private let shortTwiddle = Twiddle(count: 64)

  /// `scale` times exp(−iπ(8n+1)/(8M)) for n < `count`, M = 2·count.
  private struct Twiddle: Sendable {
    var cosines: [Float] = []
    var sines: [Float] = []

    init(count: Int, scale: Float = 1) {
      for n in 0..<count {
        let (s, c) = ElementaryFunctions.sinCosPi(Double(8 * n + 1) / Double(16 * count))
        cosines.append(scale * Float(c))
        sines.append(-scale * Float(s))
      }
    }
  }

  /// Transforms 2048 samples from `start`; `left` and `right` are rising half-windows of 1024.
  mutating func long(
    _ samples: [Float], from start: Int, left: [Float], right: [Float], into lines: inout [Float]
  ) {
    precondition(start >= 0 && samples.count >= start + 2048)
    precondition(left.count == 1024 && right.count == 1024 && lines.count >= 1024)
    unsafe samples.withUnsafeBufferPointer { block in
      guard let base = block.baseAddress else { return }
      unsafe Self.fold(base + start, left, right, 512, into: &folded, at: 0)
    }
    unsafe Self.rotateIn(folded, longTwiddle.cosines, longTwiddle.sines, &real, &imaginary)
    // The last rotation, X[2k] = 2·Re y[k] and X[M−1−2k] = −2·Im y[k] with y = Z·twiddle, is part
    // of the transform's last pass.
    fft.transform512(&real, &imaginary, longTwiddleOut.cosines, longTwiddleOut.sines)
    unsafe Self.interleave(real, imaginary, &lines)
  }

  /// Transforms the eight short blocks inside 2048 samples from `start`.
  ///
  /// Window w's 128 lines are at w·128. `left` is the first window's rising half, `slope` all
  /// the others'.
  mutating func short(
    _ samples: [Float], from start: Int, left: [Float], slope: [Float], into lines: inout [Float]
  ) {
    precondition(start >= 0 && samples.count >= start + 2048)
    precondition(left.count == 128 && slope.count == 128 && lines.count >= 1024)
    unsafe samples.withUnsafeBufferPointer { block in
      guard let base = block.baseAddress else { return }
      for window in 0..<8 {
        unsafe Self.fold(
          base + start + 448 + window * 128, window == 0 ? left : slope, slope, 64,
          into: &folded, at: window * 128)
      }
    }
    unsafe Self.rotateShortIn(
      folded, shortTwiddle.cosines, shortTwiddle.sines, &real, &imaginary)
    fft.transform64(&real, &imaginary)
    unsafe Self.rotateShortOut(
      real, imaginary, shortTwiddle.cosines, shortTwiddle.sines, &lines)
  }

  /// Windows and folds four quarters of `quarter` samples into two at `offset`.
  private static func fold(
    _ x: UnsafePointer<Float>, _ left: UnsafePointer<Float>, _ right: UnsafePointer<Float>,
    _ quarter: Int, into u: UnsafeMutablePointer<Float>, at offset: Int
  ) {
    let half = 2 &* quarter
    let (a, b) = unsafe (x, x + (half &- 4))
    let (c, d) = unsafe (x + (half &+ quarter &- 4), x + (half &+ quarter))
    let (wa, wb) = unsafe (left, left + (half &- 4))
    let (wc, wd) = unsafe (right + quarter, right + (quarter &- 4))
    let low = unsafe u + offset
    let high = unsafe low + quarter
    var n = 0
    while n < quarter {
      let back = 0 &- n
      let late = unsafe c.lanes(back).mirrored * wc.lanes(n) + d.lanes(n) * wd.lanes(back).mirrored
      unsafe low.store(Lanes.zero - late, n)
      let early = unsafe a.lanes(n) * wa.lanes(n) - (b.lanes(back) * wb.lanes(back)).mirrored
      unsafe high.store(early, n)
      n &+= 4
    }
  }

  /// z[n] = (u[2n] + i·u[M−1−2n])·twiddle[n] for a long block.
  private static func rotateIn(
    _ u: UnsafePointer<Float>, _ cosines: UnsafePointer<Float>, _ sines: UnsafePointer<Float>,
    _ real: UnsafeMutablePointer<Float>, _ imaginary: UnsafeMutablePointer<Float>
  ) {
    for n in stride(from: 0, to: 512, by: 4) {
      let e0 = unsafe u.lanes(2 * n)
      let e1 = unsafe u.lanes(2 * n + 4)
      let o0 = unsafe u.lanes(1020 - 2 * n)
      let o1 = unsafe u.lanes(1016 - 2 * n)
      let re = Lanes(e0[0], e0[2], e1[0], e1[2])
      let im = Lanes(o0[3], o0[1], o1[3], o1[1])
      let c = unsafe cosines.lanes(n)
      let s = unsafe sines.lanes(n)
      unsafe real.store(re * c - im * s, n)
      unsafe imaginary.store(re * s + im * c, n)
    }
  }

  /// X[2k] = Re y[k], X[M−1−2k] = Im y[k] for a long block.
  private static func interleave(
    _ real: UnsafePointer<Float>, _ imaginary: UnsafePointer<Float>,
    _ lines: UnsafeMutablePointer<Float>
  ) {
    var k = 0
    while k < 512 {
      let even = unsafe real.lanes(k)
      let odd = unsafe imaginary.lanes(508 &- k)
      unsafe lines.store(Lanes(even[0], odd[3], even[1], odd[2]), 2 &* k)
      unsafe lines.store(Lanes(even[2], odd[1], even[3], odd[0]), 2 &* k &+ 4)
      k &+= 4
    }
  }

  /// As `rotateIn`, for eight blocks side by side: block w goes to lane w.
  private static func rotateShortIn(
    _ u: UnsafePointer<Float>, _ cosines: UnsafePointer<Float>, _ sines: UnsafePointer<Float>,
    _ real: UnsafeMutablePointer<Float>, _ imaginary: UnsafeMutablePointer<Float>
  ) {
    for n in 0..<64 {
      let c = unsafe cosines[n]
      let s = unsafe sines[n]
      for window in 0..<8 {
        let re = unsafe u[window * 128 + 2 * n]
        let im = unsafe u[window * 128 + 127 - 2 * n]
        unsafe real[n * 8 + window] = re * c - im * s
        unsafe imaginary[n * 8 + window] = re * s + im * c
      }
    }
  }

  private static func rotateShortOut(
    _ real: UnsafePointer<Float>, _ imaginary: UnsafePointer<Float>,
    _ cosines: UnsafePointer<Float>, _ sines: UnsafePointer<Float>,
    _ lines: UnsafeMutablePointer<Float>
  ) {
    for k in 0..<64 {
      let c = unsafe cosines[k]
      let s = unsafe sines[k]
      for window in 0..<8 {
        let re = unsafe real[k * 8 + window]
        let im = unsafe imaginary[k * 8 + window]
        unsafe lines[window * 128 + 2 * k] = (re * c - im * s) * 2
        unsafe lines[window * 128 + 127 - 2 * k] = (re * s + im * c) * -2
      }
    }
  }
}
