import AacornSignal

/// A filter that splits a QMF band into Q parts with 13 taps (ISO/IEC 14496-3, 8.6.4.3).
///
///     h_q[n] = g[n] · exp(2πi/Q · (q + ½)(n − 6)),  g[12 − n] = g[n]
///
/// Parts q and Q − 1 − q are at opposite frequencies and share all products.
struct HybridFilter: Sendable {
  /// Q / 2.
  let pairs: Int
  /// For each pair, g[n]·cos and g[n]·sin of 2π/Q·(q + ½)(n − 6), n < 6, then g[6] and 0.
  private let taps: [Float]

  init(_ prototype: [Float], parts: Int) {
    pairs = parts / 2
    var taps: [Float] = []
    for q in 0..<parts / 2 {
      for n in 0..<7 {
        // The angle in half turns, made positive by whole turns.
        let angle = Double((2 * q + 1) * (n - 6)) / Double(parts)
        let turns = Int(-angle / 2) + 1
        let (sine, cosine) = ElementaryFunctions.sinCosPi(angle + 2 * Double(turns))
        taps.append(prototype[n] * Float(cosine))
        taps.append(n == 6 ? 0 : prototype[n] * Float(sine))
      }
    }
    self.taps = taps
  }

  /// Adds four slots of a band in pairs of taps, before the weighting.
  ///
  /// The result is the sums and differences of the real parts of taps n and 12 − n, then of the
  /// imaginary parts, for n < 6; then the middle tap: 26 vectors.
  @inline(__always)
  static func fold(
    _ real: UnsafePointer<Float>, _ imaginary: UnsafePointer<Float>,
    into sums: UnsafeMutablePointer<Float>
  ) {
    for n in 0..<6 {
      let (a, b) = unsafe (real.lanes(n), real.lanes(12 &- n))
      let (c, d) = unsafe (imaginary.lanes(n), imaginary.lanes(12 &- n))
      unsafe sums.store(a + b, 16 &* n)
      unsafe sums.store(a - b, 16 &* n &+ 4)
      unsafe sums.store(c + d, 16 &* n &+ 8)
      unsafe sums.store(c - d, 16 &* n &+ 12)
    }
    unsafe sums.store(real.lanes(6), 96)
    unsafe sums.store(imaginary.lanes(6), 100)
  }

  /// Returns parts q and Q − 1 − q of four slots.
  @inline(__always)
  func pair(
    _ q: Int, _ sums: UnsafePointer<Float>
  ) -> (low: Lanes, lowIm: Lanes, high: Lanes, highIm: Lanes) {
    unsafe taps.withUnsafeBufferPointer { taps in
      guard let base = taps.baseAddress else { return (.zero, .zero, .zero, .zero) }
      let tap = unsafe base + 14 &* q
      var cosRe = unsafe sums.lanes(96) * tap[12]
      var cosIm = unsafe sums.lanes(100) * tap[12]
      var sinRe = Lanes.zero
      var sinIm = Lanes.zero
      for n in 0..<6 {
        let (c, s) = unsafe (tap[2 &* n], tap[2 &* n &+ 1])
        unsafe cosRe += sums.lanes(16 &* n) * c
        unsafe sinIm += sums.lanes(16 &* n &+ 4) * s
        unsafe cosIm += sums.lanes(16 &* n &+ 8) * c
        unsafe sinRe += sums.lanes(16 &* n &+ 12) * s
      }
      return (cosRe + sinRe, cosIm - sinIm, cosRe - sinRe, cosIm + sinIm)
    }
  }
}
