/// Complex Fourier transforms of 64 and 512 points on vectors of four.
///
/// A 64-point transform runs in every lane of a vector at once, in two passes of radix 8:
///
///     short windows   lane = window            four windows a call
///     long windows    lane = index mod 8       then one pass across the lanes makes 512 points
///
/// Real and imaginary parts lie in separate buffers. Lane buffers hold 64 × `stride` floats; element
/// m of lane l is at m·stride + l.
struct FFT: Sendable {
  /// cos and −sin of 2π·p·k/64 for p, k = 0…7, at p·8 + k.
  private var cos64: [Float] = []
  private var sin64: [Float] = []
  /// cos and −sin of 2π·k·l/512 for k = 0…63, l = 0…7, at k·8 + l.
  private var cos512: [Float] = []
  private var sin512: [Float] = []
  private var scratchReal = [Float](repeating: 0, count: 512)
  private var scratchImaginary = [Float](repeating: 0, count: 512)

  init() {
    for k in 0..<64 {
      for l in 0..<8 {
        let (s, c) = ElementaryFunctions.sinCosPi(Double(k * l) / 256)
        cos512.append(Float(c))
        sin512.append(Float(-s))
      }
    }
    for p in 0..<8 {
      for k in 0..<8 {
        let (s, c) = ElementaryFunctions.sinCosPi(Double(p * k) / 32)
        cos64.append(Float(c))
        sin64.append(Float(-s))
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

  /// 512 points in natural order, in place.
  mutating func transform512(_ real: inout [Float], _ imaginary: inout [Float]) {
    transform64(&real, &imaginary)
    unsafe Self.acrossLanes(
      real, imaginary, &scratchReal, &scratchImaginary, cos512, sin512)
    swap(&real, &scratchReal)
    swap(&imaginary, &scratchImaginary)
  }

  private static func firstPass(
    _ real: UnsafePointer<Float>, _ imaginary: UnsafePointer<Float>,
    _ outReal: UnsafeMutablePointer<Float>, _ outImaginary: UnsafeMutablePointer<Float>,
    _ cosines: UnsafePointer<Float>, _ sines: UnsafePointer<Float>, lane: Int
  ) {
    for p in 0..<8 {
      let from = p * 8 + lane
      var v = unsafe Octet(real, imaginary, at: from, step: 64)
      v.transform()
      unsafe v.rotate(cosines + p * 8, sines + p * 8)
      unsafe v.store(outReal, outImaginary, at: p * 64 + lane, step: 8)
    }
  }

  private static func secondPass(
    _ real: UnsafePointer<Float>, _ imaginary: UnsafePointer<Float>,
    _ outReal: UnsafeMutablePointer<Float>, _ outImaginary: UnsafeMutablePointer<Float>, lane: Int
  ) {
    for q in 0..<8 {
      var v = unsafe Octet(real, imaginary, at: q * 8 + lane, step: 64)
      v.transform()
      unsafe v.store(outReal, outImaginary, at: q * 8 + lane, step: 64)
    }
  }

  /// Joins the eight interleaved 64-point results: twiddle, transpose, radix 8.
  private static func acrossLanes(
    _ real: UnsafePointer<Float>, _ imaginary: UnsafePointer<Float>,
    _ outReal: UnsafeMutablePointer<Float>, _ outImaginary: UnsafeMutablePointer<Float>,
    _ cosines: UnsafePointer<Float>, _ sines: UnsafePointer<Float>
  ) {
    for k in stride(from: 0, to: 64, by: 4) {
      var v = unsafe Octet(
        twiddled: real + k * 8, imaginary + k * 8, cosines + k * 8, sines + k * 8)
      v.transform()
      unsafe v.store(outReal, outImaginary, at: k, step: 64)
    }
  }
}
