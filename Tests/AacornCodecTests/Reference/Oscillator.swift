import AacornSignal

@testable import AacornCodec

/// A sine that rotates by a fixed angle per sample, bit-exact on every platform.
struct Oscillator {
  private var real: Double
  private var imaginary: Double
  private let cosine: Double
  private let sine: Double

  /// Creates a sine of `hertz` at `rate` samples per second that starts at `phase` turns.
  init(hertz: Double, rate: Int, phase: Double = 0) {
    let start = ElementaryFunctions.sinCosPi(2 * phase)
    let step = ElementaryFunctions.sinCosPi(2 * hertz / Double(rate))
    (imaginary, real) = (start.sin, start.cos)
    (sine, cosine) = (step.sin, step.cos)
  }

  mutating func next() -> Double {
    let value = imaginary
    (real, imaginary) = (real * cosine - imaginary * sine, real * sine + imaginary * cosine)
    return value
  }
}
