/// The discrete cosine transform of type IV, which is its own inverse up to a factor.
///
///     X[k] = scale · Σ u[n] · cos(π/M · (n + ½)(k + ½)),  n, k < M
///
/// It is a Fourier transform of M/2 points between two rotations: with t[n] = exp(−iπ(8n + 1)/8M),
///
///     y = t · FFT(t[n] · (u[2n] + i·u[M−1−2n])),  X[2k] = Re y[k],  X[M−1−2k] = −Im y[k]
package struct DCT4: Sendable {
  /// The number of samples and of lines.
  package let count: Int
  private var fft: FFT
  private let twiddle: Twiddle
  /// The factors of the last rotation, which is part of the Fourier transform's last pass.
  private let twiddleOut: Twiddle
  private var real: [Float]
  private var imaginary: [Float]

  /// Creates a transform of `count` samples: twice a size that ``FFT`` supports.
  package init(count: Int, scale: Float = 1) {
    precondition(count % 2 == 0)
    self.count = count
    fft = FFT(count: count / 2)
    twiddle = Twiddle(count: count / 2)
    twiddleOut = Twiddle(count: count / 2, scale: scale)
    real = [Float](repeating: 0, count: count / 2)
    imaginary = real
  }

  /// `scale` times exp(−iπ(8n+1)/(8M)) for n < `count` = M/2.
  package struct Twiddle: Sendable {
    package private(set) var cosines: [Float] = []
    package private(set) var sines: [Float] = []

    package init(count: Int, scale: Float = 1) {
      for n in 0..<count {
        let (s, c) = ElementaryFunctions.sinCosPi(Double(8 * n + 1) / Double(16 * count))
        cosines.append(scale * Float(c))
        sines.append(-scale * Float(s))
      }
    }
  }

  /// Transforms the first `count` samples to the same number of lines.
  package mutating func transform(_ samples: [Float], into lines: inout [Float]) {
    precondition(samples.count >= count && lines.count >= count)
    unsafe Self.rotateIn(
      samples, cosines: twiddle.cosines, sines: twiddle.sines, count / 2, real: &real,
      imaginary: &imaginary)
    fft.transform(&real, &imaginary, rotatedByCosines: twiddleOut.cosines, sines: twiddleOut.sines)
    unsafe Self.interleave(real: real, imaginary: imaginary, count / 2, into: &lines)
  }

  /// Computes z[n] = (u[2n] + i·u[M−1−2n])·twiddle[n] for n < `half`.
  private static func rotateIn(
    _ u: UnsafePointer<Float>, cosines: UnsafePointer<Float>, sines: UnsafePointer<Float>,
    _ half: Int, real: UnsafeMutablePointer<Float>, imaginary: UnsafeMutablePointer<Float>
  ) {
    var n = 0
    while n < half {
      let back = 2 &* (half &- n)
      let e0 = unsafe u.lanes(2 &* n)
      let e1 = unsafe u.lanes(2 &* n &+ 4)
      let o0 = unsafe u.lanes(back &- 4)
      let o1 = unsafe u.lanes(back &- 8)
      let re = Lanes(e0[0], e0[2], e1[0], e1[2])
      let im = Lanes(o0[3], o0[1], o1[3], o1[1])
      let c = unsafe cosines.lanes(n)
      let s = unsafe sines.lanes(n)
      unsafe real.store(re * c - im * s, n)
      unsafe imaginary.store(re * s + im * c, n)
      n &+= 4
    }
  }

  /// Writes X[2k] = Re y[k], X[M−1−2k] = Im y[k] for k < `half`; `FFT` has negated the imaginary
  /// parts.
  private static func interleave(
    real: UnsafePointer<Float>, imaginary: UnsafePointer<Float>, _ half: Int,
    into lines: UnsafeMutablePointer<Float>
  ) {
    var k = 0
    while k < half {
      let even = unsafe real.lanes(k)
      let odd = unsafe imaginary.lanes(half &- 4 &- k)
      unsafe lines.store(Lanes(even[0], odd[3], even[1], odd[2]), 2 &* k)
      unsafe lines.store(Lanes(even[2], odd[1], even[3], odd[0]), 2 &* k &+ 4)
      k &+= 4
    }
  }
}

/// Eight ``DCT4`` transforms side by side, one in each lane, for a frame's short windows.
package struct EightDCT4: Sendable {
  /// The number of samples and of lines in each transform.
  package let count: Int
  private let scale: Float
  private var fft: LaneFFT
  private let twiddle: DCT4.Twiddle
  private var real: [Float]
  private var imaginary: [Float]

  /// Creates transforms of `count` samples each: twice a product of 2, 3 and 5.
  package init(count: Int, scale: Float = 1) {
    precondition(count % 2 == 0)
    self.count = count
    self.scale = scale
    fft = LaneFFT(points: count / 2)
    twiddle = DCT4.Twiddle(count: count / 2)
    real = [Float](repeating: 0, count: 4 * count)
    imaginary = real
  }

  /// Transforms the first 8 · `count` samples, block after block, to the same number of lines.
  package mutating func transform(_ samples: [Float], into lines: inout [Float]) {
    precondition(samples.count >= 8 * count && lines.count >= 8 * count)
    unsafe Self.rotateIn(
      samples, cosines: twiddle.cosines, sines: twiddle.sines, count / 2, real: &real,
      imaginary: &imaginary)
    fft.transform(&real, &imaginary)
    unsafe Self.rotateOut(
      real: real, imaginary: imaginary, cosines: twiddle.cosines, sines: twiddle.sines, count / 2,
      scale: scale, into: &lines)
  }

  /// Rotates the input as in ``DCT4``; block w goes to lane w.
  private static func rotateIn(
    _ u: UnsafePointer<Float>, cosines: UnsafePointer<Float>, sines: UnsafePointer<Float>,
    _ half: Int, real: UnsafeMutablePointer<Float>, imaginary: UnsafeMutablePointer<Float>
  ) {
    let count = 2 &* half
    for n in 0..<half {
      let c = unsafe cosines[n]
      let s = unsafe sines[n]
      for block in 0..<8 {
        let re = unsafe u[block &* count &+ 2 &* n]
        let im = unsafe u[block &* count &+ count &- 1 &- 2 &* n]
        unsafe real[n &* 8 &+ block] = re * c - im * s
        unsafe imaginary[n &* 8 &+ block] = re * s + im * c
      }
    }
  }

  private static func rotateOut(
    real: UnsafePointer<Float>, imaginary: UnsafePointer<Float>,
    cosines: UnsafePointer<Float>, sines: UnsafePointer<Float>, _ half: Int, scale: Float,
    into lines: UnsafeMutablePointer<Float>
  ) {
    let count = 2 &* half
    for k in 0..<half {
      let c = unsafe cosines[k]
      let s = unsafe sines[k]
      for block in 0..<8 {
        let re = unsafe real[k &* 8 &+ block]
        let im = unsafe imaginary[k &* 8 &+ block]
        unsafe lines[block &* count &+ 2 &* k] = (re * c - im * s) * scale
        unsafe lines[block &* count &+ count &- 1 &- 2 &* k] = (re * s + im * c) * -scale
      }
    }
  }
}
