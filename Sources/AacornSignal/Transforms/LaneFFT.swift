/// Fourier transforms in eight lanes side by side: element m of lane l is at 8·m + l.
///
/// The number of points is a product of 2, 3 and 5. Each pass handles one factor r of this product
/// (Stockham's order, which needs no bit reversal). A pass over n points with a stride of s
/// computes
///
///     y[q + s(r·p + k)] = exp(−2πi·p·k/n) · Σ x[q + s(p + j·n/r)] · exp(−2πi·j·k/r)
///
/// and the next pass has n/r points with a stride of s·r.
package struct LaneFFT: Sendable {
  /// The number of points of the transform in each lane.
  package let points: Int
  private var passes: [Pass] = []
  /// cos and −sin of 2π·p·k/n of every pass but the last, each four times, at (p·r + k)·4.
  private var cosines: [Float] = []
  private var sines: [Float] = []
  private var scratchReal: [Float]
  private var scratchImaginary: [Float]

  private struct Pass: Sendable {
    /// The factor r.
    var radix: Int
    /// n/r, and s.
    var groups, stride: Int
    /// The start of its rotations.
    var twiddles: Int
  }

  /// Creates transforms of a product of 2, 3 and 5 points.
  package init(points: Int) {
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
    precondition(rest == 1, "The number of points must be a product of 2, 3 and 5")
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

  /// The input and the output of a pass, and its rotations.
  @unsafe
  struct Buffers {
    let real, imaginary: UnsafePointer<Float>
    let outReal, outImaginary: UnsafeMutablePointer<Float>
    var cosines, sines: UnsafePointer<Float>

    /// Calls `body` with pointers that are valid until it returns.
    @inline(__always)
    static func with(
      real: UnsafePointer<Float>, imaginary: UnsafePointer<Float>,
      outReal: UnsafeMutablePointer<Float>, outImaginary: UnsafeMutablePointer<Float>,
      cosines: UnsafePointer<Float>, sines: UnsafePointer<Float>, _ body: (Buffers) -> Void
    ) {
      unsafe body(
        Buffers(
          real: real, imaginary: imaginary, outReal: outReal, outImaginary: outImaginary,
          cosines: cosines, sines: sines))
    }
  }

  /// Transforms in place.
  package mutating func transform(_ real: inout [Float], _ imaginary: inout [Float]) {
    precondition(real.count == 8 * points && imaginary.count == 8 * points)
    for pass in passes {
      unsafe Buffers.with(
        real: real, imaginary: imaginary, outReal: &scratchReal, outImaginary: &scratchImaginary,
        cosines: cosines, sines: sines
      ) { buffers in
        unsafe Self.run(pass, buffers)
      }
      swap(&real, &scratchReal)
      swap(&imaginary, &scratchImaginary)
    }
  }

  private static func run(_ pass: Pass, _ buffers: Buffers) {
    var buffers = unsafe buffers
    unsafe buffers.cosines += pass.twiddles
    unsafe buffers.sines += pass.twiddles
    switch (pass.radix, pass.groups, pass.stride) {
    case (8, 8, 1): unsafe firstOf64(buffers)
    case (8, 1, 8): unsafe lastOf64(buffers)
    case (8, 4, 1): unsafe firstOf32(buffers)
    case (4, 1, 8): unsafe lastOf32(buffers)
    case (8, let groups, let stride): unsafe eights(groups: groups, stride: stride, buffers)
    case (5, let groups, let stride): unsafe fives(groups: groups, stride: stride, buffers)
    case (4, let groups, let stride): unsafe fours(groups: groups, stride: stride, buffers)
    case (3, let groups, let stride): unsafe threes(groups: groups, stride: stride, buffers)
    case (_, let groups, let stride): unsafe twos(groups: groups, stride: stride, buffers)
    }
  }

  // With constant arguments, the compiler makes a separate kernel for each radix, and two each for
  // 64 and 32 points, the common cases.

  private static func firstOf64(_ buffers: Buffers) {
    unsafe run(radix: 8, groups: 8, stride: 1, buffers)
  }

  private static func lastOf64(_ buffers: Buffers) {
    unsafe run(radix: 8, groups: 1, stride: 8, buffers)
  }

  private static func firstOf32(_ buffers: Buffers) {
    unsafe run(radix: 8, groups: 4, stride: 1, buffers)
  }

  private static func lastOf32(_ buffers: Buffers) {
    unsafe run(radix: 4, groups: 1, stride: 8, buffers)
  }

  private static func eights(groups: Int, stride: Int, _ buffers: Buffers) {
    unsafe run(radix: 8, groups: groups, stride: stride, buffers)
  }

  private static func fives(groups: Int, stride: Int, _ buffers: Buffers) {
    unsafe run(radix: 5, groups: groups, stride: stride, buffers)
  }

  private static func fours(groups: Int, stride: Int, _ buffers: Buffers) {
    unsafe run(radix: 4, groups: groups, stride: stride, buffers)
  }

  private static func threes(groups: Int, stride: Int, _ buffers: Buffers) {
    unsafe run(radix: 3, groups: groups, stride: stride, buffers)
  }

  private static func twos(groups: Int, stride: Int, _ buffers: Buffers) {
    unsafe run(radix: 2, groups: groups, stride: stride, buffers)
  }

  @inline(__always)
  private static func run(radix: Int, groups: Int, stride: Int, _ buffers: Buffers) {
    let (inStep, outStep) = (8 &* stride &* groups, 8 &* stride)
    for p in 0..<groups {
      let twiddle = p &* radix &* 4
      for q in 0..<2 &* stride {
        let from = 8 &* stride &* p &+ 4 &* q
        let to = 8 &* stride &* radix &* p &+ 4 &* q
        Butterfly.transform(radix) { j in
          let offset = from &+ j &* inStep
          return unsafe ComplexLanes(buffers.real, buffers.imaginary, at: offset)
        } store: { k, value in
          var value = value
          if k > 0 && groups > 1 {
            let offset = twiddle &+ k &* 4
            value = unsafe value * ComplexLanes(buffers.cosines, buffers.sines, at: offset)
          }
          unsafe buffers.outReal.store(value.re, to &+ k &* outStep)
          unsafe buffers.outImaginary.store(value.im, to &+ k &* outStep)
        }
      }
    }
  }
}

/// The discrete Fourier transforms of two, three, four, five and eight complex elements.
///
/// Each function computes four transforms at once, one in each lane. They are the building blocks
/// of longer transforms.
///
/// Elements are loaded by `load` and passed to `store` in natural order. In the largest transform,
/// every operand is loaded when it is first needed and every result is stored immediately, because
/// x86-64 has only sixteen vector registers.
enum Butterfly {
  @inline(__always)
  static func transform(
    _ count: Int, load: (Int) -> ComplexLanes, store: (Int, ComplexLanes) -> Void
  ) {
    switch count {
    case 8: eight(load, store)
    case 5: five(load, store)
    case 4: four(load, store)
    case 3: three(load, store)
    default: two(load, store)
    }
  }

  @inline(__always)
  private static func two(_ load: (Int) -> ComplexLanes, _ store: (Int, ComplexLanes) -> Void) {
    let (a, b) = (load(0), load(1))
    store(0, a + b)
    store(1, a - b)
  }

  @inline(__always)
  private static func three(_ load: (Int) -> ComplexLanes, _ store: (Int, ComplexLanes) -> Void) {
    let a = load(0)
    let (b, c) = (load(1), load(2))
    let sum = b + c
    let middle = a - sum * 0.5
    let side = ((b - c) * 0.8660254).timesMinusI
    store(0, a + sum)
    store(1, middle + side)
    store(2, middle - side)
  }

  @inline(__always)
  private static func four(_ load: (Int) -> ComplexLanes, _ store: (Int, ComplexLanes) -> Void) {
    let result = four(load(0), load(1), load(2), load(3))
    store(0, result.0)
    store(1, result.1)
    store(2, result.2)
    store(3, result.3)
  }

  @inline(__always)
  private static func five(_ load: (Int) -> ComplexLanes, _ store: (Int, ComplexLanes) -> Void) {
    let a = load(0)
    let (b, e) = (load(1), load(4))
    let (c, d) = (load(2), load(3))
    let (outer, inner) = (b + e, c + d)
    store(0, a + outer + inner)
    // cos 2π/5, cos 4π/5 and their sines.
    let near = a + outer * 0.30901699 - inner * 0.80901699
    let far = a - outer * 0.80901699 + inner * 0.30901699
    let nearSide = ((b - e) * 0.95105652 + (c - d) * 0.58778525).timesMinusI
    let farSide = ((b - e) * 0.58778525 - (c - d) * 0.95105652).timesMinusI
    store(1, near + nearSide)
    store(4, near - nearSide)
    store(2, far + farSide)
    store(3, far - farSide)
  }

  /// Computes a transform of eight elements from two transforms of four.
  @inline(__always)
  private static func eight(_ load: (Int) -> ComplexLanes, _ store: (Int, ComplexLanes) -> Void) {
    let odd = four(load(1), load(3), load(5), load(7))
    let even = four(load(0), load(2), load(4), load(6))
    // Odd results times exp(−iπk/4).
    let half = Lanes(repeating: 0.70710678)
    store(0, even.0 + odd.0)
    store(4, even.0 - odd.0)
    let one = ComplexLanes((odd.1.re + odd.1.im) * half, (odd.1.im - odd.1.re) * half)
    store(1, even.1 + one)
    store(5, even.1 - one)
    store(2, ComplexLanes(even.2.re + odd.2.im, even.2.im - odd.2.re))
    store(6, ComplexLanes(even.2.re - odd.2.im, even.2.im + odd.2.re))
    let three = ComplexLanes((odd.3.im - odd.3.re) * half, (odd.3.re + odd.3.im) * half)
    store(3, ComplexLanes(even.3.re + three.re, even.3.im - three.im))
    store(7, ComplexLanes(even.3.re - three.re, even.3.im + three.im))
  }

  @inline(__always)
  private static func four(
    _ a: ComplexLanes, _ b: ComplexLanes, _ c: ComplexLanes, _ d: ComplexLanes
  ) -> (ComplexLanes, ComplexLanes, ComplexLanes, ComplexLanes) {
    let (s, t) = (a + c, a - c)
    let (u, v) = (b + d, b - d)
    return (
      s + u, ComplexLanes(t.re + v.im, t.im - v.re), s - u, ComplexLanes(t.re - v.im, t.im + v.re)
    )
  }
}
