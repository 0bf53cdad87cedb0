/// A second-order filter, derived from an analog filter by the bilinear transform.
///
/// The formulas are from the “Cookbook formulae for audio EQ biquad filter coefficients”.
///
///     y[n] = b₀x[n] + b₁x[n−1] + b₂x[n−2] − a₁y[n−1] − a₂y[n−2]
public struct Biquad: Equatable, Sendable {
  /// The response of the filter.
  public enum Kind: Equatable, Sendable {
    /// Passes frequencies below the corner.
    case lowPass
    /// Passes frequencies above the corner.
    case highPass
    /// Passes frequencies near the center, with a gain of 1 there.
    case bandPass
    /// Removes the center frequency.
    case notch
    /// Amplifies or attenuates frequencies near the center.
    case peak
    /// Amplifies or attenuates frequencies below the corner.
    case lowShelf
    /// Amplifies or attenuates frequencies above the corner.
    case highShelf
  }

  /// The first coefficient of the numerator: the factor of the current sample.
  public let b0: Double
  /// The factor of the previous sample.
  public let b1: Double
  /// The factor of the sample before the previous one.
  public let b2: Double
  /// The first coefficient of the denominator after 1: the factor of the previous result.
  public let a1: Double
  /// The factor of the result before the previous one.
  public let a2: Double

  /// The quality at which a low-pass or high-pass filter is a Butterworth filter: √½.
  public static var butterworthQuality: Double { 0.707_106_781_186_547_5 }

  /// Creates a filter.
  ///
  /// - Parameters:
  ///   - kind: The response.
  ///   - frequency: The corner or center frequency, or the middle of a slope, in hertz.
  ///   - quality: The center frequency divided by the width; for shelves, the steepness.
  ///   - decibels: The gain of peaks and shelves.
  ///   - sampleRate: Frames per second, from 1 Hz to 3.072 MHz.
  public init(
    _ kind: Kind, frequency: Double, quality: Double = Biquad.butterworthQuality,
    decibels: Double = 0, sampleRate: Int
  ) {
    let rate = Double(SampleLimits.sampleRate(sampleRate))
    let bounded = min(EffectRange.frequency.nearest(to: frequency), 0.49 * rate)
    let quality = EffectRange.quality.nearest(to: quality)
    let boost = EffectRange.boost.nearest(to: decibels)
    // 1 − cos is computed as 2·sin² of the half angle: this stays exact if the frequency is far
    // below the rate.
    let half = ElementaryFunctions.sinCosPi(bounded / rate)
    let below = 2 * half.sin * half.sin
    let above = 2 * half.cos * half.cos
    let cosine = half.cos * half.cos - half.sin * half.sin
    let alpha = half.sin * half.cos / quality
    let root = Decibels.amplitude(boost / 2)
    let slope = 2 * Decibels.amplitude(boost / 4) * alpha
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

  /// Creates a filter that passes everything unchanged.
  init() { (b0, b1, b2, a1, a2) = (1, 0, 0, 0, 0) }

  /// All coefficients, in the order of the declarations.
  var factors: SIMD8<Double> { SIMD8(b0, b1, b2, a1, a2, 0, 0, 0) }
}
