import AacornSignal

/// The kinds of effects, by their names.
public enum EffectKind: String, CaseIterable, Sendable {
  /// A constant gain: `GainEffect`.
  case gain
  /// A high-pass filter: `HighPassEffect`.
  case highpass
  /// A low-pass filter: like the next four kinds, a band of an `EqualizerEffect`.
  case lowpass
  /// Gain for low frequencies.
  case lowshelf
  /// Gain for high frequencies.
  case highshelf
  /// Gain for frequencies around a center.
  case peak
  /// Removal of one frequency.
  case notch
  /// A noise gate: `GateEffect`.
  case gate
  /// A downward expander: `ExpanderEffect`.
  case expander
  /// A compressor: `CompressorEffect`.
  case compressor
  /// A de-esser: `DeEsserEffect`.
  case deesser
  /// A true-peak limiter: `LimiterEffect`.
  case limiter
  /// A loudness normalizer: `LoudnessEffect`.
  case loudness
  /// Reduction of steady noise in each channel, by the library libspeexdsp.
  case denoise

  /// The parameters, in the order in which values without names set them.
  public var parameters: [EffectParameter] {
    switch self {
    case .gain: [.init("gain", in: .decibels, EffectRange.gain, default: 0, isLeading: true)]
    case .highpass: [Self.frequency(80), .init("slope", in: .slope, 12...24, default: 12)]
    case .lowpass: [Self.frequency(16_000), Self.quality(Biquad.butterworthQuality)]
    case .lowshelf: [Self.frequency(120), Self.boost, Self.quality(Biquad.butterworthQuality)]
    case .highshelf: [Self.frequency(8000), Self.boost, Self.quality(Biquad.butterworthQuality)]
    case .peak: [Self.frequency(1000), Self.boost, Self.quality(1)]
    case .notch: [Self.frequency(50), Self.quality(30)]
    case .gate:
      [
        Self.threshold(-45), Self.depth(60),
        .init("hysteresis", in: .decibels, EffectRange.hysteresis, default: 6),
        Self.time("attack", 1),
        .init("hold", in: .milliseconds, EffectRange.hold, default: 100), Self.time("release", 50),
      ]
    case .expander:
      [
        Self.ratio(2, isLeading: true), Self.threshold(-45), Self.depth(20),
        Self.time("attack", 1), Self.time("release", 150),
      ]
    case .compressor:
      [
        Self.ratio(3, isLeading: true), Self.threshold(-18),
        .init("knee", in: .decibels, EffectRange.knee, default: 6), Self.time("attack", 5),
        Self.time("release", 100), .init("makeup", in: .decibels, EffectRange.gain, default: 0),
      ]
    case .deesser:
      [Self.frequency(6500), Self.threshold(-30), Self.ratio(4, isLeading: false), Self.depth(12)]
    case .limiter:
      [
        .init("ceiling", in: .decibels, EffectRange.ceiling, default: -1, isLeading: true),
        Self.time("release", 100),
      ]
    case .loudness:
      [
        .init("target", in: .loudness, EffectRange.loudness, default: -16, isLeading: true),
        Self.depth(12),
        .init("speed", in: .decibels, EffectRange.speed, default: 3),
        .init("gate", in: .loudness, EffectRange.loudness, default: -50),
      ]
    case .denoise: [.init("depth", in: .decibels, 0...60, default: 15, isLeading: true)]
    }
  }

  private static func frequency(_ defaultValue: Double) -> EffectParameter {
    .init("frequency", in: .hertz, EffectRange.frequency, default: defaultValue, isLeading: true)
  }

  private static var boost: EffectParameter {
    .init("gain", in: .decibels, EffectRange.boost, default: 0, isLeading: true)
  }

  private static func quality(_ defaultValue: Double) -> EffectParameter {
    .init("q", in: .number, EffectRange.quality, default: defaultValue)
  }

  private static func threshold(_ defaultValue: Double) -> EffectParameter {
    .init("threshold", in: .decibels, EffectRange.threshold, default: defaultValue, isLeading: true)
  }

  private static func ratio(_ defaultValue: Double, isLeading: Bool) -> EffectParameter {
    .init("ratio", in: .ratio, EffectRange.ratio, default: defaultValue, isLeading: isLeading)
  }

  private static func depth(_ defaultValue: Double) -> EffectParameter {
    .init("depth", in: .decibels, EffectRange.depth, default: defaultValue)
  }

  private static func time(_ name: String, _ defaultValue: Double) -> EffectParameter {
    .init(name, in: .milliseconds, EffectRange.time, default: defaultValue)
  }
}
