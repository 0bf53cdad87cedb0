/// The ranges of the settings of effects.
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
  /// The range of delays, in milliseconds.
  public static var delay: ClosedRange<Double> { 0...2000 }
  /// The range of feedback factors.
  public static var feedback: ClosedRange<Double> { 0...0.95 }
  /// The range of fractions, such as a mix or a damping.
  public static var fraction: ClosedRange<Double> { 0...1 }
  /// The range of the time in which reverberation falls by 60 dB, in milliseconds.
  public static var decay: ClosedRange<Double> { 100...20_000 }
}

extension ClosedRange<Double> {
  /// Returns the nearest value of the range; the lower bound for NaN.
  func nearest(to value: Double) -> Double {
    value > lowerBound ? (value < upperBound ? value : upperBound) : lowerBound
  }
}
