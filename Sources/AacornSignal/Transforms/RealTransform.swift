/// Computes the power spectrum of a block of real samples.
///
/// The even samples are the real and the odd ones the imaginary parts of a sequence of half the
/// length. The transform of this sequence is split into the transforms of the even and of the odd
/// samples, which are combined to the transform of the block.
struct RealTransform: Sendable {
  /// Samples per block: twice a size that ``FFT`` supports.
  let length: Int
  private var fft: FFT
  /// cos and −sin of 2πk / `length` for k below half of it.
  private var cosines: [Float] = []
  private var sines: [Float] = []
  private var real: [Float]
  private var imaginary: [Float]

  init(length: Int) {
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
  mutating func powers(
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
    unsafe Self.unpackPowers(real, imaginary, cosines, sines, half, &powers)
  }

  /// Computes X(k) = (Z(k) + Z̄(h − k)) / 2 − i/2 · exp(−2πik/2h) · (Z(k) − Z̄(h − k)), h = `half`.
  private static func unpackPowers(
    _ real: UnsafePointer<Float>, _ imaginary: UnsafePointer<Float>,
    _ cosines: UnsafePointer<Float>, _ sines: UnsafePointer<Float>, _ half: Int,
    _ powers: UnsafeMutablePointer<Float>
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
