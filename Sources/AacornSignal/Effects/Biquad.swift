/// A filter of order two: an analog section under the bilinear transform.
///
/// The formulas are those of the “Cookbook formulae for audio EQ biquad filter coefficients”.
///
///     y[n] = b₀x[n] + b₁x[n−1] + b₂x[n−2] − a₁y[n−1] − a₂y[n−2]
public struct Biquad: Equatable, Sendable {
  /// What it does.
  public enum Kind: Equatable, Sendable {
    /// Lets pass what is below its frequency.
    case lowPass
    /// Lets pass what is above its frequency.
    case highPass
    /// Lets pass what is near its frequency, with a gain of 1 there.
    case bandPass
    /// Takes its frequency out.
    case notch
    /// Makes what is near its frequency louder or softer.
    case peak
    /// Makes what is below its frequency louder or softer.
    case lowShelf
    /// Makes what is above its frequency louder or softer.
    case highShelf
  }

  /// The numerator: b₀, b₁ and b₂.
  public let b0: Double
  /// The weight of the last sample.
  public let b1: Double
  /// The weight of the last sample but one.
  public let b2: Double
  /// The denominator after its 1: a₁ and a₂.
  public let a1: Double
  /// The weight of the last result but one.
  public let a2: Double

  /// The quality at which a low-pass or high-pass filter is a Butterworth filter: √½.
  public static var butterworthQuality: Double { 0.707_106_781_186_547_5 }

  /// A filter.
  ///
  /// - Parameters:
  ///   - kind: What it does.
  ///   - frequency: The corner, center, or the middle of a slope, in hertz.
  ///   - quality: The center frequency by the width; for shelves, how steep they are.
  ///   - decibels: What peaks and shelves add.
  ///   - sampleRate: Frames per second, from 1 Hz to 3.072 MHz.
  public init(
    _ kind: Kind, frequency: Double, quality: Double = Biquad.butterworthQuality,
    decibels: Double = 0, sampleRate: Int
  ) {
    let rate = Double(SampleLimits.sampleRate(sampleRate))
    let bounded = min(EffectRange.frequency.nearest(to: frequency), 0.49 * rate)
    let quality = EffectRange.quality.nearest(to: quality)
    let boost = EffectRange.boost.nearest(to: decibels)
    // By the half angle nothing cancels where the frequency is far below the rate.
    let half = ElementaryFunctions.sinCosPi(bounded / rate)
    let below = 2 * half.sin * half.sin
    let above = 2 * half.cos * half.cos
    let cosine = half.cos * half.cos - half.sin * half.sin
    let alpha = half.sin * half.cos / quality
    let root = EffectMath.amplitude(boost / 2)
    let slope = 2 * EffectMath.amplitude(boost / 4) * alpha
    var numerator = (alpha, 0.0, -alpha)
    var denominator = (1 + alpha, -2 * cosine, 1 - alpha)
    switch kind {
    case .lowPass: numerator = (below / 2, below, below / 2)
    case .highPass: numerator = (above / 2, -above, above / 2)
    case .bandPass: break
    case .notch: numerator = (1, -2 * cosine, 1)
    case .peak:
      numerator = (1 + alpha * root, -2 * cosine, 1 - alpha * root)
      denominator = (1 + alpha / root, -2 * cosine, 1 - alpha / root)
    case .lowShelf:
      let (sum, difference) = (root + 1, root - 1)
      numerator = (
        root * (sum - difference * cosine + slope), 2 * root * (difference - sum * cosine),
        root * (sum - difference * cosine - slope)
      )
      denominator = (
        sum + difference * cosine + slope, -2 * (difference + sum * cosine),
        sum + difference * cosine - slope
      )
    case .highShelf:
      let (sum, difference) = (root + 1, root - 1)
      numerator = (
        root * (sum + difference * cosine + slope), -2 * root * (difference + sum * cosine),
        root * (sum + difference * cosine - slope)
      )
      denominator = (
        sum - difference * cosine + slope, 2 * (difference - sum * cosine),
        sum - difference * cosine - slope
      )
    }
    b0 = numerator.0 / denominator.0
    b1 = numerator.1 / denominator.0
    b2 = numerator.2 / denominator.0
    a1 = denominator.1 / denominator.0
    a2 = denominator.2 / denominator.0
  }

  /// A filter that changes nothing.
  init() { (b0, b1, b2, a1, a2) = (1, 0, 0, 0, 0) }

  /// All factors, in the order of the declarations.
  var factors: SIMD8<Double> { SIMD8(b0, b1, b2, a1, a2, 0, 0, 0) }
}
