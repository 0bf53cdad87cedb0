/// Complex Fourier transforms of 64 and 512 points on vectors of four.
///
/// A 64-point transform runs in every lane of a vector at once, in two passes of radix 8:
///
///     short windows   lane = window            eight windows a call
///     long windows    lane = index mod 8       then one pass across the lanes makes 512 points
///
/// Real and imaginary parts lie in separate buffers. Lane buffers hold 64 × `stride` floats; element
/// m of lane l is at m·stride + l.
struct FFT: Sendable {
  /// cos and −sin of 2π·p·k/64 for p, k = 0…7, each four times, at (p·8 + k)·4.
  private var cos64: [Float] = []
  private var sin64: [Float] = []
  /// cos and −sin of 2π·k·l/512 for k = 0…63, l = 0…7, at k/4·32 + l·4 + k mod 4.
  private var cos512: [Float] = []
  private var sin512: [Float] = []
  private var scratchReal = [Float](repeating: 0, count: 512)
  private var scratchImaginary = [Float](repeating: 0, count: 512)

  init() {
    for first in stride(from: 0, to: 64, by: 4) {
      for l in 0..<8 {
        for k in first..<first + 4 {
          let (s, c) = ElementaryFunctions.sinCosPi(Double(k * l) / 256)
          cos512.append(Float(c))
          sin512.append(Float(-s))
        }
      }
    }
    for p in 0..<8 {
      for k in 0..<8 {
        let (s, c) = ElementaryFunctions.sinCosPi(Double(p * k) / 32)
        for _ in 0..<4 {
          cos64.append(Float(c))
          sin64.append(Float(-s))
        }
      }
    }
  }

  /// 64 points in each of eight lanes, in place.
  mutating func transform64(_ real: inout [Float], _ imaginary: inout [Float]) {
    precondition(real.count >= 512 && imaginary.count >= 512)
    for half in [0, 4] {
      unsafe Self.firstPass(
        real, imaginary, &scratchReal, &scratchImaginary, cos64, sin64, lane: half)
      unsafe Self.secondPass(scratchReal, scratchImaginary, &real, &imaginary, lane: half)
    }
  }

  /// 512 points in natural order, in place, each result times c + is, its imaginary part negated.
  mutating func transform512(
    _ real: inout [Float], _ imaginary: inout [Float], _ c: [Float], _ s: [Float]
  ) {
    precondition(c.count >= 512 && s.count >= 512)
    transform64(&real, &imaginary)
    unsafe Self.acrossLanes(
      real, imaginary, &scratchReal, &scratchImaginary, cos512, sin512, c, s)
    swap(&real, &scratchReal)
    swap(&imaginary, &scratchImaginary)
  }

  private static func firstPass(
    _ real: UnsafePointer<Float>, _ imaginary: UnsafePointer<Float>,
    _ outReal: UnsafeMutablePointer<Float>, _ outImaginary: UnsafeMutablePointer<Float>,
    _ cosines: UnsafePointer<Float>, _ sines: UnsafePointer<Float>, lane: Int
  ) {
    for p in 0..<8 {
      let (from, to, twiddle) = (p &* 8 &+ lane, p &* 64 &+ lane, p &* 32)
      Octet.transform {
        unsafe Octet.Complex(real.lanes(from &+ $0 &* 64), imaginary.lanes(from &+ $0 &* 64))
      } store: { k, value in
        let turned =
          unsafe k == 0
          ? value : value.turned(cosines.lanes(twiddle &+ k &* 4), sines.lanes(twiddle &+ k &* 4))
        unsafe outReal.store(turned.re, to &+ k &* 8)
        unsafe outImaginary.store(turned.im, to &+ k &* 8)
      }
    }
  }

  private static func secondPass(
    _ real: UnsafePointer<Float>, _ imaginary: UnsafePointer<Float>,
    _ outReal: UnsafeMutablePointer<Float>, _ outImaginary: UnsafeMutablePointer<Float>, lane: Int
  ) {
    for q in 0..<8 {
      let at = q &* 8 &+ lane
      Octet.transform {
        unsafe Octet.Complex(real.lanes(at &+ $0 &* 64), imaginary.lanes(at &+ $0 &* 64))
      } store: { k, value in
        unsafe outReal.store(value.re, at &+ k &* 64)
        unsafe outImaginary.store(value.im, at &+ k &* 64)
      }
    }
  }

  /// Joins the eight interleaved 64-point results: transpose, twiddle, radix 8.
  private static func acrossLanes(
    _ real: UnsafePointer<Float>, _ imaginary: UnsafePointer<Float>,
    _ outReal: UnsafeMutablePointer<Float>, _ outImaginary: UnsafeMutablePointer<Float>,
    _ cosines: UnsafePointer<Float>, _ sines: UnsafePointer<Float>,
    _ outCosines: UnsafePointer<Float>, _ outSines: UnsafePointer<Float>
  ) {
    for k in stride(from: 0, to: 64, by: 4) {
      let n = k &* 8
      let lowReal = unsafe Columns(real + n)
      let lowImaginary = unsafe Columns(imaginary + n)
      let highReal = unsafe Columns(real + (n &+ 4))
      let highImaginary = unsafe Columns(imaginary + (n &+ 4))
      Octet.transform { l in
        let value =
          l < 4
          ? Octet.Complex(lowReal[l], lowImaginary[l])
          : Octet.Complex(highReal[l &- 4], highImaginary[l &- 4])
        if l == 0 { return value }
        return unsafe value.turned(cosines.lanes(n &+ l &* 4), sines.lanes(n &+ l &* 4))
      } store: { l, value in
        let place = k &+ l &* 64
        let (c, s) = unsafe (outCosines.lanes(place), outSines.lanes(place))
        unsafe outReal.store(value.re * c - value.im * s, place)
        unsafe outImaginary.store(Lanes.zero - (value.re * s + value.im * c), place)
      }
    }
  }

  /// Four columns of a matrix of four rows, eight floats apart.
  private struct Columns {
    private let a, b, c, d: Lanes

    @inline(__always)
    init(_ rows: UnsafePointer<Float>) {
      let (p, q) = unsafe (rows.lanes(0), rows.lanes(8))
      let (r, s) = unsafe (rows.lanes(16), rows.lanes(24))
      a = Lanes(p[0], q[0], r[0], s[0])
      b = Lanes(p[1], q[1], r[1], s[1])
      c = Lanes(p[2], q[2], r[2], s[2])
      d = Lanes(p[3], q[3], r[3], s[3])
    }

    @inline(__always)
    subscript(index: Int) -> Lanes {
      switch index {
      case 0: a
      case 1: b
      case 2: c
      default: d
      }
    }
  }
}
