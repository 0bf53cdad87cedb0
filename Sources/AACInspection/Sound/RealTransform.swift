import AACCodec

/// The powers of the frequencies in a block of real samples, by a fast Fourier transform.
///
/// The even samples are the real and the odd ones the imaginary parts of a sequence half as long;
/// its transform is taken apart into the two of which the block's own is made. Only additions and
/// multiplications in a fixed order are used, so that every platform computes the same bits.
struct RealTransform: Sendable {
  /// Samples of a block, a power of two from 8 up.
  let length: Int
  /// cos and −sin of 2πk / `length` for k below half of it.
  private var cosines: [Float] = []
  private var sines: [Float] = []
  private var real: [Float]
  private var imaginary: [Float]

  /// A transform of so many samples.
  init(length: Int) {
    precondition(length >= 8 && length & (length - 1) == 0)
    self.length = length
    let half = length / 2
    cosines.reserveCapacity(half)
    sines.reserveCapacity(half)
    for k in 0..<half {
      let (s, c) = ElementaryFunctions.sinCosPi(2 * Double(k) / Double(length))
      cosines.append(Float(c))
      sines.append(Float(-s))
    }
    real = [Float](repeating: 0, count: half)
    imaginary = [Float](repeating: 0, count: half)
  }

  /// Puts |X(k)|² into `powers` for k = 0…`length` / 2.
  ///
  /// The block is a ring, of which `start` is the oldest sample, and is weighted by `window`.
  mutating func powers(
    of ring: [Float], from start: Int, window: [Float], into powers: inout [Float]
  ) {
    let half = length / 2
    precondition(ring.count == length && window.count == length && powers.count > half)
    precondition(start >= 0 && start < length)
    unsafe Self.load(ring, start, window, &real, &imaginary, half)
    unsafe Self.transform(&real, &imaginary, cosines, sines, half)
    unsafe Self.takeApart(real, imaginary, cosines, sines, half, &powers)
  }

  /// Windows the samples and puts each pair of them where the transform wants it: at the number
  /// whose bits are reversed.
  private static func load(
    _ ring: UnsafePointer<Float>, _ start: Int, _ window: UnsafePointer<Float>,
    _ real: UnsafeMutablePointer<Float>, _ imaginary: UnsafeMutablePointer<Float>, _ half: Int
  ) {
    let mask = half &* 2 &- 1
    let shift = UInt32(half.leadingZeroBitCount - (Int.bitWidth - 32) + 1)
    for pair in 0..<half {
      let even = (start &+ 2 &* pair) & mask
      let odd = (even &+ 1) & mask
      let place = Int(reversed(UInt32(pair)) &>> shift)
      unsafe real[place] = ring[even] * window[2 &* pair]
      unsafe imaginary[place] = ring[odd] * window[2 &* pair &+ 1]
    }
  }

  private static func reversed(_ value: UInt32) -> UInt32 {
    var bits = value
    bits = (bits &>> 1) & 0x5555_5555 | (bits & 0x5555_5555) &<< 1
    bits = (bits &>> 2) & 0x3333_3333 | (bits & 0x3333_3333) &<< 2
    bits = (bits &>> 4) & 0x0F0F_0F0F | (bits & 0x0F0F_0F0F) &<< 4
    return bits.byteSwapped
  }

  /// Decimation in time with radix 2, in place.
  private static func transform(
    _ real: UnsafeMutablePointer<Float>, _ imaginary: UnsafeMutablePointer<Float>,
    _ cosines: UnsafePointer<Float>, _ sines: UnsafePointer<Float>, _ count: Int
  ) {
    var size = 1
    while size < count {
      // The tables go round in twice `count` steps.
      let step = count / size
      var first = 0
      while first < count {
        var turn = 0
        for low in first..<first &+ size {
          let high = low &+ size
          let (c, s) = unsafe (cosines[turn], sines[turn])
          let (x, y) = unsafe (real[high], imaginary[high])
          let (re, im) = (x * c - y * s, x * s + y * c)
          let (a, b) = unsafe (real[low], imaginary[low])
          unsafe real[low] = a + re
          unsafe imaginary[low] = b + im
          unsafe real[high] = a - re
          unsafe imaginary[high] = b - im
          turn &+= step
        }
        first &+= 2 &* size
      }
      size &*= 2
    }
  }

  /// X(k) = (Z(k) + Z̄(h − k)) / 2 − i/2 · exp(−2πik/2h) · (Z(k) − Z̄(h − k)) with h = `half`.
  private static func takeApart(
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
