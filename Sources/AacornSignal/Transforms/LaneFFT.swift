/// Fourier transforms in each of eight lanes at once: element m of lane l is at 8·m + l.
///
/// The points are a product of 2, 3 and 5. A pass takes one factor r of them (Stockham's order, which
/// needs no reversal of bits): of n points with a stride of s,
///
///     y[q + s(r·p + k)] = exp(−2πi·p·k/n) · Σ x[q + s(p + j·n/r)] · exp(−2πi·j·k/r)
///
/// and the next pass finds n/r points with a stride of s·r.
struct LaneFFT: Sendable {
  /// Points of a transform.
  let points: Int
  private var passes: [Pass] = []
  /// cos and −sin of 2π·p·k/n of every pass but the last, each four times, at (p·r + k)·4.
  private var cosines: [Float] = []
  private var sines: [Float] = []
  private var scratchReal: [Float]
  private var scratchImaginary: [Float]

  private struct Pass: Sendable {
    /// The factor.
    var radix: Int
    /// n/r, and s.
    var groups, stride: Int
    /// Where its rotations begin.
    var twiddles: Int
  }

  init(points: Int) {
    self.points = points
    scratchReal = [Float](repeating: 0, count: 8 * points)
    scratchImaginary = scratchReal
    var rest = points
    for radix in [8, 4, 2, 5, 3] {
      while rest % radix == 0 && rest > 1 {
        let pass = Pass(
          radix: radix, groups: rest / radix, stride: points / rest, twiddles: cosines.count)
        passes.append(pass)
        if pass.groups > 1 { appendTwiddles(of: pass) }
        rest /= radix
      }
    }
    precondition(rest == 1, "Points are a product of 2, 3 and 5")
  }

  private mutating func appendTwiddles(of pass: Pass) {
    for p in 0..<pass.groups {
      for k in 0..<pass.radix {
        let (s, c) = ElementaryFunctions.sinCosPi(
          2 * Double(p * k) / Double(pass.groups * pass.radix))
        for _ in 0..<4 {
          cosines.append(Float(c))
          sines.append(Float(-s))
        }
      }
    }
  }

  /// Transforms in place.
  mutating func transform(_ real: inout [Float], _ imaginary: inout [Float]) {
    precondition(real.count == 8 * points && imaginary.count == 8 * points)
    for pass in passes {
      unsafe Self.run(
        pass, real, imaginary, &scratchReal, &scratchImaginary, cosines, sines)
      swap(&real, &scratchReal)
      swap(&imaginary, &scratchImaginary)
    }
  }

  private static func run(
    _ pass: Pass, _ real: UnsafePointer<Float>, _ imaginary: UnsafePointer<Float>,
    _ outReal: UnsafeMutablePointer<Float>, _ outImaginary: UnsafeMutablePointer<Float>,
    _ cosines: UnsafePointer<Float>, _ sines: UnsafePointer<Float>
  ) {
    switch (pass.radix, pass.groups, pass.stride) {
    case (8, 8, 1): unsafe firstOf64(pass, real, imaginary, outReal, outImaginary, cosines, sines)
    case (8, 1, 8): unsafe lastOf64(pass, real, imaginary, outReal, outImaginary, cosines, sines)
    case (8, _, _): unsafe eights(pass, real, imaginary, outReal, outImaginary, cosines, sines)
    case (5, _, _): unsafe fives(pass, real, imaginary, outReal, outImaginary, cosines, sines)
    case (4, _, _): unsafe fours(pass, real, imaginary, outReal, outImaginary, cosines, sines)
    case (3, _, _): unsafe threes(pass, real, imaginary, outReal, outImaginary, cosines, sines)
    case (_, _, _): unsafe twos(pass, real, imaginary, outReal, outImaginary, cosines, sines)
    }
  }

  // Constant arguments give each radix its own kernel; 64 points, the usual case, have two.

  private static func firstOf64(
    _ pass: Pass, _ real: UnsafePointer<Float>, _ imaginary: UnsafePointer<Float>,
    _ outReal: UnsafeMutablePointer<Float>, _ outImaginary: UnsafeMutablePointer<Float>,
    _ cosines: UnsafePointer<Float>, _ sines: UnsafePointer<Float>
  ) {
    unsafe run(
      pass, 8, 8, 1, real, imaginary, outReal, outImaginary, cosines, sines)
  }

  private static func lastOf64(
    _ pass: Pass, _ real: UnsafePointer<Float>, _ imaginary: UnsafePointer<Float>,
    _ outReal: UnsafeMutablePointer<Float>, _ outImaginary: UnsafeMutablePointer<Float>,
    _ cosines: UnsafePointer<Float>, _ sines: UnsafePointer<Float>
  ) {
    unsafe run(
      pass, 8, 1, 8, real, imaginary, outReal, outImaginary, cosines, sines)
  }

  private static func eights(
    _ pass: Pass, _ real: UnsafePointer<Float>, _ imaginary: UnsafePointer<Float>,
    _ outReal: UnsafeMutablePointer<Float>, _ outImaginary: UnsafeMutablePointer<Float>,
    _ cosines: UnsafePointer<Float>, _ sines: UnsafePointer<Float>
  ) {
    unsafe run(
      pass, 8, pass.groups, pass.stride, real, imaginary, outReal, outImaginary, cosines, sines)
  }

  private static func fives(
    _ pass: Pass, _ real: UnsafePointer<Float>, _ imaginary: UnsafePointer<Float>,
    _ outReal: UnsafeMutablePointer<Float>, _ outImaginary: UnsafeMutablePointer<Float>,
    _ cosines: UnsafePointer<Float>, _ sines: UnsafePointer<Float>
  ) {
    unsafe run(
      pass, 5, pass.groups, pass.stride, real, imaginary, outReal, outImaginary, cosines, sines)
  }

  private static func fours(
    _ pass: Pass, _ real: UnsafePointer<Float>, _ imaginary: UnsafePointer<Float>,
    _ outReal: UnsafeMutablePointer<Float>, _ outImaginary: UnsafeMutablePointer<Float>,
    _ cosines: UnsafePointer<Float>, _ sines: UnsafePointer<Float>
  ) {
    unsafe run(
      pass, 4, pass.groups, pass.stride, real, imaginary, outReal, outImaginary, cosines, sines)
  }

  private static func threes(
    _ pass: Pass, _ real: UnsafePointer<Float>, _ imaginary: UnsafePointer<Float>,
    _ outReal: UnsafeMutablePointer<Float>, _ outImaginary: UnsafeMutablePointer<Float>,
    _ cosines: UnsafePointer<Float>, _ sines: UnsafePointer<Float>
  ) {
    unsafe run(
      pass, 3, pass.groups, pass.stride, real, imaginary, outReal, outImaginary, cosines, sines)
  }

  private static func twos(
    _ pass: Pass, _ real: UnsafePointer<Float>, _ imaginary: UnsafePointer<Float>,
    _ outReal: UnsafeMutablePointer<Float>, _ outImaginary: UnsafeMutablePointer<Float>,
    _ cosines: UnsafePointer<Float>, _ sines: UnsafePointer<Float>
  ) {
    unsafe run(
      pass, 2, pass.groups, pass.stride, real, imaginary, outReal, outImaginary, cosines, sines)
  }

  @inline(__always)
  private static func run(
    _ pass: Pass, _ radix: Int, _ groups: Int, _ stride: Int,
    _ real: UnsafePointer<Float>, _ imaginary: UnsafePointer<Float>,
    _ outReal: UnsafeMutablePointer<Float>, _ outImaginary: UnsafeMutablePointer<Float>,
    _ cosines: UnsafePointer<Float>, _ sines: UnsafePointer<Float>
  ) {
    let (inStep, outStep) = (8 &* stride &* groups, 8 &* stride)
    for p in 0..<groups {
      let twiddle = pass.twiddles &+ p &* radix &* 4
      for q in 0..<2 &* stride {
        let from = 8 &* stride &* p &+ 4 &* q
        let to = 8 &* stride &* radix &* p &+ 4 &* q
        Butterfly.transform(radix) { j in
          let place = from &+ j &* inStep
          return unsafe ComplexLanes(real.lanes(place), imaginary.lanes(place))
        } store: { k, value in
          let turned =
            unsafe k == 0 || groups == 1
            ? value : value.turned(cosines.lanes(twiddle &+ k &* 4), sines.lanes(twiddle &+ k &* 4))
          unsafe outReal.store(turned.re, to &+ k &* outStep)
          unsafe outImaginary.store(turned.im, to &+ k &* outStep)
        }
      }
    }
  }
}
