import AacornSignal

/// An effect that processes a running stream in place; see `EffectRange` for the rules.
protocol AudioEffect: Sendable {
  /// The latency in frames.
  var latency: Int { get }
  /// Processes whole interleaved frames in place.
  mutating func process(_ samples: inout MutableSpan<Float>)
  /// Clears all stored audio; the settings are kept and apply immediately.
  mutating func reset()
  /// Changes gradually to the settings of a description of the same effect.
  mutating func adjust(to description: EffectDescription)
}

/// An effect whose settings have one value for each parameter of its kind.
protocol ConfiguredEffect: AudioEffect {
  associatedtype Settings
  var settings: Settings { get set }
  init(_ settings: Settings, channelCount: Int, sampleRate: Int)
  /// Returns the settings with these values, in the order of the parameters.
  static func settings(_ values: [Double]) -> Settings
}

extension ConfiguredEffect {
  /// Changes gradually to the values of a description.
  mutating func adjust(to description: EffectDescription) {
    settings = Self.settings(description.values)
  }
}

extension EffectDescription {
  /// Creates the effect for interleaved channels; throws if a library cannot be used.
  func effect(
    channelCount: Int, sampleRate: Int
  ) throws(EffectError) -> any AudioEffect {
    func configured(_ type: (some ConfiguredEffect).Type) -> any AudioEffect {
      type.init(type.settings(values), channelCount: channelCount, sampleRate: sampleRate)
    }
    func band(_ kind: Biquad.Kind) -> any AudioEffect {
      let start = EqualizerEffect.Band(kind, frequency: 1000)
      return EqualizerEffect(
        [start.with(values)], channelCount: channelCount, sampleRate: sampleRate)
    }
    switch kind {
    case .gain:
      return GainEffect(decibels: values[0], channelCount: channelCount, sampleRate: sampleRate)
    case .highpass: return configured(HighPassEffect.self)
    case .lowpass: return band(.lowPass)
    case .lowshelf: return band(.lowShelf)
    case .highshelf: return band(.highShelf)
    case .peak: return band(.peak)
    case .notch: return band(.notch)
    case .gate: return configured(GateEffect.self)
    case .expander: return configured(ExpanderEffect.self)
    case .compressor: return configured(CompressorEffect.self)
    case .deesser: return configured(DeEsserEffect.self)
    case .limiter: return configured(LimiterEffect.self)
    case .loudness: return configured(LoudnessEffect.self)
    case .denoise:
      #if os(Linux)
      return try DenoiseEffect(depth: values[0], channelCount: channelCount, sampleRate: sampleRate)
      #else
      throw EffectError(
        "The effect denoise works on Linux only.", "Remove it on this system.", kind: .missing)
      #endif
    }
  }
}

extension GainEffect: AudioEffect {
  mutating func adjust(to description: EffectDescription) { decibels = description.values[0] }
}

extension EqualizerEffect: AudioEffect {
  mutating func adjust(to description: EffectDescription) {
    bands = [bands[0].with(description.values)]
  }
}

extension EqualizerEffect.Band {
  /// Returns the band with these values: frequency, gain and quality, or two values without a gain.
  fileprivate func with(_ values: [Double]) -> EqualizerEffect.Band {
    var band = self
    band.frequency = values[0]
    if values.count > 2 { band.decibels = values[1] }
    band.quality = values[values.count - 1]
    return band
  }
}

extension HighPassEffect: ConfiguredEffect {
  static func settings(_ values: [Double]) -> Settings {
    Settings(frequency: values[0], slope: values[1] == 24 ? .twentyFour : .twelve)
  }
}

extension GateEffect: ConfiguredEffect {
  static func settings(_ values: [Double]) -> Settings {
    Settings(
      threshold: values[0], depth: values[1], hysteresis: values[2], attack: values[3],
      hold: values[4], release: values[5])
  }
}

extension ExpanderEffect: ConfiguredEffect {
  static func settings(_ values: [Double]) -> Settings {
    Settings(
      ratio: values[0], threshold: values[1], depth: values[2], attack: values[3],
      release: values[4])
  }
}

extension CompressorEffect: ConfiguredEffect {
  static func settings(_ values: [Double]) -> Settings {
    Settings(
      ratio: values[0], threshold: values[1], knee: values[2], attack: values[3],
      release: values[4], makeUp: values[5])
  }
}

extension DeEsserEffect: ConfiguredEffect {
  static func settings(_ values: [Double]) -> Settings {
    Settings(frequency: values[0], threshold: values[1], ratio: values[2], depth: values[3])
  }
}

extension LimiterEffect: ConfiguredEffect {
  static func settings(_ values: [Double]) -> Settings {
    Settings(ceiling: values[0], release: values[1])
  }
}

extension LoudnessEffect: ConfiguredEffect {
  static func settings(_ values: [Double]) -> Settings {
    Settings(target: values[0], depth: values[1], speed: values[2], gate: values[3])
  }
}
