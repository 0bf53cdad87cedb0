/// What the settings of effects may be.
public enum EffectRange {
  /// Of frequencies, in hertz; above 0.49 of the sampling rate they count as that.
  public static var frequency: ClosedRange<Double> { 10...20_000 }
  /// Of the quality of a filter: its center frequency by its width.
  public static var quality: ClosedRange<Double> { 0.1...100 }
  /// Of a gain, in decibels.
  public static var gain: ClosedRange<Double> { -60...60 }
  /// Of what a band of an equalizer adds, in decibels.
  public static var boost: ClosedRange<Double> { -30...30 }
  /// Of thresholds, in dBFS.
  public static var threshold: ClosedRange<Double> { -100...0 }
  /// Of a limiter's ceiling, in dBFS.
  public static var ceiling: ClosedRange<Double> { -40...0 }
  /// Of ratios of levels.
  public static var ratio: ClosedRange<Double> { 1...100 }
  /// Of the width of a compressor's knee, in decibels.
  public static var knee: ClosedRange<Double> { 0...40 }
  /// Of how far a gain goes down, in decibels.
  public static var depth: ClosedRange<Double> { 0...100 }
  /// Of how far a gate's thresholds are apart, in decibels.
  public static var hysteresis: ClosedRange<Double> { 0...30 }
  /// Of the time that a gain takes in one direction, in milliseconds.
  public static var time: ClosedRange<Double> { 0.1...5000 }
  /// Of the time that a gate stays open, in milliseconds.
  public static var hold: ClosedRange<Double> { 0...5000 }
  /// Of loudness, in LUFS.
  public static var loudness: ClosedRange<Double> { -60...0 }
  /// Of how fast loudness is corrected, in decibels per second.
  public static var speed: ClosedRange<Double> { 0.1...20 }
  /// Of delays, in milliseconds.
  public static var delay: ClosedRange<Double> { 0...2000 }
  /// Of what is fed back.
  public static var feedback: ClosedRange<Double> { 0...0.95 }
  /// Of parts of a whole.
  public static var part: ClosedRange<Double> { 0...1 }
  /// Of the time in which reverberation falls by 60 dB, in milliseconds.
  public static var decay: ClosedRange<Double> { 100...20_000 }
}

extension ClosedRange<Double> {
  /// The nearest value of the range; the lowest one for what is no number.
  func nearest(to value: Double) -> Double {
    value > lowerBound ? (value < upperBound ? value : upperBound) : lowerBound
  }
}
