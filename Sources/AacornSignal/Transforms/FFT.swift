/// The discrete Fourier transform of complex numbers.
///
/// Their count is a multiple of eight, from 32 up, with no prime factor above 5:
///
///     eight lanes   lane = index mod 8, a transform of count/8 points in each
///     across        one pass of radix 8 over the lanes, whose results are in natural order
///
/// Real and imaginary parts are in separate arrays. Only additions and multiplications in a fixed
/// order are used, so every platform computes the same bits.
package struct FFT: Sendable {
  /// The size of the transform.
  package let count: Int
  private var lanes: LaneFFT
  /// cos and −sin of 2π·k·l/count, in blocks of four k, for each lane l.
  private var cosines: [Float] = []
  private var sines: [Float] = []
  private var scratchReal: [Float]
  private var scratchImaginary: [Float]

  /// Creates a transform of `count` numbers, at least 32.
  package init(count: Int) {
    precondition(count >= 32 && count % 8 == 0)
    self.count = count
    lanes = LaneFFT(points: count / 8)
    scratchReal = [Float](repeating: 0, count: count)
    scratchImaginary = scratchReal
    for block in 0..<Self.blockCount(count / 8) {
      let first = Self.start(of: block, count / 8)
      for l in 0..<8 {
        for k in first..<first + 4 {
          let (s, c) = ElementaryFunctions.sinCosPi(2 * Double(k * l) / Double(count))
          cosines.append(Float(c))
          sines.append(Float(-s))
        }
      }
    }
  }

  /// Returns the number of blocks of four points; the last one may overlap its neighbor.
  @inline(__always)
  private static func blockCount(_ points: Int) -> Int { (points &+ 3) / 4 }

  @inline(__always)
  private static func start(of block: Int, _ points: Int) -> Int { min(4 &* block, points &- 4) }

  /// Transforms in place.
  package mutating func transform(_ real: inout [Float], _ imaginary: inout [Float]) {
    unsafe transform(&real, &imaginary) { unsafe Self.acrossLanes($0, $1) }
  }

  /// Transforms in place, multiplies each result by c + i·s, and negates its imaginary part.
  package mutating func transform(
    _ real: inout [Float], _ imaginary: inout [Float], rotatedByCosines c: [Float], sines s: [Float]
  ) {
    precondition(c.count == count && s.count == count)
    unsafe transform(&real, &imaginary) {
      unsafe Self.acrossLanes($0, $1, outCosines: c, outSines: s)
    }
  }

  @inline(__always)
  private mutating func transform(
    _ real: inout [Float], _ imaginary: inout [Float],
    acrossLanes: (LaneFFT.Buffers, _ points: Int) -> Void
  ) {
    let points = lanes.points
    lanes.transform(&real, &imaginary)
    unsafe LaneFFT.Buffers.with(
      real: real, imaginary: imaginary, outReal: &scratchReal, outImaginary: &scratchImaginary,
      cosines: cosines, sines: sines
    ) { buffers in
      unsafe acrossLanes(buffers, points)
    }
    swap(&real, &scratchReal)
    swap(&imaginary, &scratchImaginary)
  }

  private static func acrossLanes(_ buffers: LaneFFT.Buffers, _ points: Int) {
    unsafe acrossLanes(buffers, points) { offset, value in
      unsafe buffers.outReal.store(value.re, offset)
      unsafe buffers.outImaginary.store(value.im, offset)
    }
  }

  private static func acrossLanes(
    _ buffers: LaneFFT.Buffers, _ points: Int, outCosines: UnsafePointer<Float>,
    outSines: UnsafePointer<Float>
  ) {
    let store = { (offset: Int, value: ComplexLanes) in
      let value = unsafe value * ComplexLanes(outCosines, outSines, at: offset)
      unsafe buffers.outReal.store(value.re, offset)
      unsafe buffers.outImaginary.store(Lanes.zero - value.im, offset)
    }
    // With a constant argument, the compiler makes a separate kernel for the most common frame
    // length.
    if points == 64 {
      unsafe acrossLanes(buffers, 64, store: store)
    } else {
      unsafe acrossLanes(buffers, points, store: store)
    }
  }

  /// Joins the eight interleaved results: transpose, rotate, radix 8.
  @inline(__always)
  private static func acrossLanes(
    _ buffers: LaneFFT.Buffers, _ points: Int, store: (Int, ComplexLanes) -> Void
  ) {
    for block in 0..<blockCount(points) {
      let k = start(of: block, points)
      let n = k &* 8
      let lowReal = unsafe Columns(buffers.real + n)
      let lowImaginary = unsafe Columns(buffers.imaginary + n)
      let highReal = unsafe Columns(buffers.real + (n &+ 4))
      let highImaginary = unsafe Columns(buffers.imaginary + (n &+ 4))
      Butterfly.transform(8) { l in
        let value =
          l < 4
          ? ComplexLanes(lowReal[l], lowImaginary[l])
          : ComplexLanes(highReal[l &- 4], highImaginary[l &- 4])
        if l == 0 { return value }
        let twiddle = block &* 32 &+ l &* 4
        return unsafe value * ComplexLanes(buffers.cosines, buffers.sines, at: twiddle)
      } store: { l, value in
        store(k &+ l &* points, value)
      }
    }
  }

  /// Four columns of a four-row matrix whose rows are eight floats apart.
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

/// Computes the power spectrum of a block of real samples.
///
/// The even samples are the real and the odd ones the imaginary parts of a sequence of half the
/// length. The transform of this sequence is split into the transforms of the even and of the odd
/// samples, which are combined to the transform of the block.
package struct RealTransform: Sendable {
  /// Samples per block: twice a size that ``FFT`` supports.
  let length: Int
  private var fft: FFT
  /// cos and −sin of 2πk / `length` for k below half of it.
  private var cosines: [Float] = []
  private var sines: [Float] = []
  private var real: [Float]
  private var imaginary: [Float]

  /// Creates a transform of `length` samples.
  package init(length: Int) {
    precondition(length % 2 == 0)
    self.length = length
    let half = length / 2
    fft = FFT(count: half)
    cosines.reserveCapacity(half)
    sines.reserveCapacity(half)
    for k in 0..<half {
      let (s, c) = ElementaryFunctions.sinCosPi(2 * Double(k) / Double(length))
      cosines.append(Float(c))
      sines.append(Float(-s))
    }
    real = [Float](repeating: 0, count: half)
    imaginary = real
  }

  /// Writes |X(k)|² to `powers` for k = 0…`length` / 2.
  ///
  /// The block is a ring with its oldest sample at `start`, and is weighted by `window`.
  package mutating func powers(
    of ring: [Float], from start: Int, window: [Float], into powers: inout [Float]
  ) {
    let half = length / 2
    precondition(ring.count == length && window.count == length && powers.count > half)
    precondition(start >= 0 && start < length)
    var index = start
    for pair in 0..<half {
      real[pair] = ring[index] * window[2 * pair]
      index = index + 1 == length ? 0 : index + 1
      imaginary[pair] = ring[index] * window[2 * pair + 1]
      index = index + 1 == length ? 0 : index + 1
    }
    fft.transform(&real, &imaginary)
    unsafe Self.unpackPowers(
      real: real, imaginary: imaginary, cosines: cosines, sines: sines, half: half, into: &powers)
  }

  /// Computes X(k) = (Z(k) + Z̄(h − k)) / 2 − i/2 · exp(−2πik/2h) · (Z(k) − Z̄(h − k)), h = `half`.
  private static func unpackPowers(
    real: UnsafePointer<Float>, imaginary: UnsafePointer<Float>, cosines: UnsafePointer<Float>,
    sines: UnsafePointer<Float>, half: Int, into powers: UnsafeMutablePointer<Float>
  ) {
    let (sum, difference) = unsafe (real[0] + imaginary[0], real[0] - imaginary[0])
    unsafe powers[0] = sum * sum
    unsafe powers[half] = difference * difference
    for k in 1..<half {
      let other = half &- k
      let (a, b) = unsafe (real[k], imaginary[k])
      let (c, d) = unsafe (real[other], imaginary[other])
      let (evenRe, evenIm) = ((a + c) * 0.5, (b - d) * 0.5)
      let (oddRe, oddIm) = ((b + d) * 0.5, (c - a) * 0.5)
      let (cosine, sine) = unsafe (cosines[k], sines[k])
      let re = evenRe + (oddRe * cosine - oddIm * sine)
      let im = evenIm + (oddRe * sine + oddIm * cosine)
      unsafe powers[k] = re * re + im * im
    }
  }
}
