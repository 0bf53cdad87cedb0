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
      samples, twiddle.cosines, twiddle.sines, count / 2, &real, &imaginary)
    fft.transform(&real, &imaginary)
    unsafe Self.rotateOut(
      real, imaginary, twiddle.cosines, twiddle.sines, count / 2, scale, &lines)
  }

  /// Rotates the input as in ``DCT4``; block w goes to lane w.
  private static func rotateIn(
    _ u: UnsafePointer<Float>, _ cosines: UnsafePointer<Float>, _ sines: UnsafePointer<Float>,
    _ half: Int, _ real: UnsafeMutablePointer<Float>, _ imaginary: UnsafeMutablePointer<Float>
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
    _ real: UnsafePointer<Float>, _ imaginary: UnsafePointer<Float>,
    _ cosines: UnsafePointer<Float>, _ sines: UnsafePointer<Float>, _ half: Int, _ scale: Float,
    _ lines: UnsafeMutablePointer<Float>
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
