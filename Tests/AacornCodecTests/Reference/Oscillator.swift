import AacornSignal

@testable import AacornCodec

/// A sine that turns by a fixed angle each sample, the same bits on every platform.
struct Oscillator {
  private var real: Double
  private var imaginary: Double
  private let cosine: Double
  private let sine: Double

  /// A sine of `hertz` at `rate` samples a second that starts at `phase` turns.
  init(hertz: Double, rate: Int, phase: Double = 0) {
    let start = ElementaryFunctions.sinCosPi(2 * phase)
    let step = ElementaryFunctions.sinCosPi(2 * hertz / Double(rate))
    (imaginary, real) = (start.sin, start.cos)
    (sine, cosine) = (step.sin, step.cos)
  }

  /// The sine now; moves on by a sample.
  mutating func next() -> Double {
    let value = imaginary
    (real, imaginary) = (real * cosine - imaginary * sine, real * sine + imaginary * cosine)
    return value
  }
}
