/// The ranges of the settings of effects, which process a running stream in place.
///
///     var effect = CompressorEffect(settings, channelCount: 2, sampleRate: 48_000)
///     var span = samples.mutableSpan
///     effect.process(&span)
///     effect.settings.ratio = 4
///
/// The result depends neither on the division of the samples into blocks nor on the platform, and
/// processing allocates nothing. Settings can be changed at any time: they move to the new values
/// within 10 ms, so that nothing clicks. Values outside their range are clamped, and so are numbers
/// of channels to 1…64 and rates to 1 Hz…3.072 MHz. Samples that are NaN, infinite or beyond 2³⁰
/// become silence. An incomplete frame at the end is skipped.
public enum EffectRange {
  /// The range of frequencies, in hertz; above 0.49 of the sampling rate they are clamped.
  public static var frequency: ClosedRange<Double> { 10...20_000 }
  /// The range of a filter's quality: its center frequency divided by its width.
  public static var quality: ClosedRange<Double> { 0.1...100 }
  /// The range of a gain, in decibels.
  public static var gain: ClosedRange<Double> { -60...60 }
  /// The range of an equalizer band's gain, in decibels.
  public static var boost: ClosedRange<Double> { -30...30 }
  /// The range of thresholds, in dBFS.
  public static var threshold: ClosedRange<Double> { -100...0 }
  /// The range of a limiter's ceiling, in dBFS.
  public static var ceiling: ClosedRange<Double> { -40...0 }
  /// The range of the ratios of compressors, expanders and de-essers.
  public static var ratio: ClosedRange<Double> { 1...100 }
  /// The range of a compressor's knee width, in decibels.
  public static var knee: ClosedRange<Double> { 0...40 }
  /// The range of the maximum reduction of a gain, in decibels.
  public static var depth: ClosedRange<Double> { 0...100 }
  /// The range of the distance between a gate's thresholds, in decibels.
  public static var hysteresis: ClosedRange<Double> { 0...30 }
  /// The range of the time constants of attack and release, in milliseconds.
  public static var time: ClosedRange<Double> { 0.1...5000 }
  /// The range of a gate's hold time, in milliseconds.
  public static var hold: ClosedRange<Double> { 0...5000 }
  /// The range of loudness, in LUFS.
  public static var loudness: ClosedRange<Double> { -60...0 }
  /// The range of a loudness correction's speed, in decibels per second.
  public static var speed: ClosedRange<Double> { 0.1...20 }
}

extension Float {
  /// The sample, or silence if it is invalid.
  @inlinable @inline(__always)
  package var sanitized: Float { magnitude < 0x1p30 ? self : 0 }
}

extension SIMD4<Float> {
  /// The samples, with silence in place of invalid ones.
  @inline(__always)
  var sanitized: Lanes {
    Lanes.zero.replacing(with: self, where: magnitude .< Lanes(repeating: 0x1p30))
  }
}

extension ClosedRange<Double> {
  /// Returns the nearest value of the range; the lower bound for NaN.
  func nearest(to value: Double) -> Double {
    value > lowerBound ? (value < upperBound ? value : upperBound) : lowerBound
  }
}

/// Conversions of settings from users' units to the units of the loops; not for use in loops.
enum EffectMath {
  /// Returns the factor per frame of an exponential decay to e⁻¹ in `milliseconds`, which are
  /// clamped to `EffectRange.time`.
  static func decayFactor(milliseconds: Double, sampleRate: Int) -> Double {
    let time = EffectRange.time.nearest(to: milliseconds)
    // log₂ e.
    let exponent = -1000 * 1.442_695_040_888_963_4 / (time * Double(sampleRate))
    return ElementaryFunctions.preciseExp2(max(exponent, -1000))
  }

  /// Returns the number of frames in a time, rounded.
  static func frames(milliseconds: Double, sampleRate: Int) -> Int {
    Int(milliseconds * Double(sampleRate) / 1000 + 0.5)
  }
}

/// Up to eight values for interleaved channels that move linearly to new values within 10 ms.
struct ParameterRamp: Sendable {
  let channelCount: Int
  let sampleRate: Int
  /// The values for the next frame.
  private(set) var values: SIMD8<Double>
  private var target: SIMD8<Double>
  private var step = SIMD8<Double>.zero
  private var remainingFrameCount = 0
  private let length: Int

  /// Creates a ramp that is at rest at the values for the clamped rate.
  init(
    channelCount: Int, sampleRate: Int, values: (_ sampleRate: Int) -> SIMD8<Double>
  ) {
    (self.channelCount, self.sampleRate) = SampleLimits.nearest(channelCount, sampleRate)
    target = values(self.sampleRate)
    self.values = target
    length = max(1, self.sampleRate / 100)
  }

  /// Starts a move from the current values to others.
  mutating func aim(at target: SIMD8<Double>) {
    guard target != self.target else { return }
    self.target = target
    step = (target - values) / Double(length)
    remainingFrameCount = length
  }

  mutating func jump() {
    values = target
    remainingFrameCount = 0
  }

  /// Advances a running move by one frame; returns the number of frames for which the values apply.
  ///
  /// The number is 1 during a move, otherwise `limit`. So the values do not depend on the division
  /// into blocks.
  mutating func advance(_ limit: Int) -> Int {
    guard remainingFrameCount > 0 else { return limit }
    remainingFrameCount -= 1
    values = remainingFrameCount == 0 ? target : values + step
    return 1
  }

  /// Passes whole interleaved frames to `body`, in pieces of at most `limit` frames to which the
  /// same values apply.
  @inline(__always)
  mutating func forEachPiece(
    of samples: inout MutableSpan<Float>, limit: Int = .max,
    _ body: (Frames, _ values: SIMD8<Double>) -> Void
  ) {
    let channelCount = self.channelCount
    let frameCount = samples.count / channelCount
    unsafe samples.withUnsafeMutableBufferPointer { samples in
      guard let base = samples.baseAddress else { return }
      var first = 0
      while first < frameCount {
        let count = advance(min(frameCount - first, limit))
        unsafe body(
          Frames(samples: base + first * channelCount, count: count, channelCount: channelCount),
          values)
        first += count
      }
    }
  }
}
