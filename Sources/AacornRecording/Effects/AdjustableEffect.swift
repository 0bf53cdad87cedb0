import AacornSignal

/// An effect with settings that can change while it runs.
protocol AdjustableEffect: AudioEffect {
  /// Changes gradually to the settings of a description of the same effect.
  mutating func adjust(to description: EffectDescription)
}

/// An effect with numeric settings, in the order of its kind's parameters.
protocol NumberedEffect: AdjustableEffect {
  /// Changes gradually to these settings.
  mutating func adjust(_ values: [Double])
}

extension NumberedEffect {
  /// Changes gradually to the values of a description.
  mutating func adjust(to description: EffectDescription) { adjust(description.values) }
}

extension EffectDescription {
  /// Creates the effect for interleaved channels; throws if a plugin or a library cannot be used.
  func effect(
    channelCount: Int, sampleRate: Int
  ) throws(EffectError) -> any AdjustableEffect {
    func band(_ kind: Biquad.Kind) -> any AdjustableEffect {
      let start = EqualizerEffect.Band(kind, frequency: 1000)
      return EqualizerEffect(
        [start.with(values)], channelCount: channelCount, sampleRate: sampleRate)
    }
    switch kind {
    case .gain:
      return GainEffect(decibels: values[0], channelCount: channelCount, sampleRate: sampleRate)
    case .highpass:
      return HighPassEffect(.init(values), channelCount: channelCount, sampleRate: sampleRate)
    case .lowpass: return band(.lowPass)
    case .lowshelf: return band(.lowShelf)
    case .highshelf: return band(.highShelf)
    case .peak: return band(.peak)
    case .notch: return band(.notch)
    case .gate:
      return GateEffect(.init(values), channelCount: channelCount, sampleRate: sampleRate)
    case .expander:
      return ExpanderEffect(.init(values), channelCount: channelCount, sampleRate: sampleRate)
    case .compressor:
      return CompressorEffect(.init(values), channelCount: channelCount, sampleRate: sampleRate)
    case .deesser:
      return DeEsserEffect(.init(values), channelCount: channelCount, sampleRate: sampleRate)
    case .limiter:
      return LimiterEffect(.init(values), channelCount: channelCount, sampleRate: sampleRate)
    case .loudness:
      return LoudnessEffect(.init(values), channelCount: channelCount, sampleRate: sampleRate)
    case .delay:
      return DelayEffect(.init(values), channelCount: channelCount, sampleRate: sampleRate)
    case .reverb:
      return ReverbEffect(.init(values), channelCount: channelCount, sampleRate: sampleRate)
    case .denoise, .ladspa:
      return try foreignEffect(channelCount: channelCount, sampleRate: sampleRate)
    }
  }
}

extension GainEffect: NumberedEffect {
  mutating func adjust(_ values: [Double]) { decibels = values[0] }
}

extension HighPassEffect: NumberedEffect {
  mutating func adjust(_ values: [Double]) { settings = Settings(values) }
}

extension HighPassEffect.Settings {
  fileprivate init(_ values: [Double]) {
    self.init(frequency: values[0], slope: values[1] == 24 ? .twentyFour : .twelve)
  }
}

extension EqualizerEffect: NumberedEffect {
  mutating func adjust(_ values: [Double]) { bands = [bands[0].with(values)] }
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

extension GateEffect: NumberedEffect {
  mutating func adjust(_ values: [Double]) { settings = Settings(values) }
}

extension GateEffect.Settings {
  fileprivate init(_ values: [Double]) {
    self.init(
      threshold: values[0], depth: values[1], hysteresis: values[2], attack: values[3],
      hold: values[4], release: values[5])
  }
}

extension ExpanderEffect: NumberedEffect {
  mutating func adjust(_ values: [Double]) { settings = Settings(values) }
}

extension ExpanderEffect.Settings {
  fileprivate init(_ values: [Double]) {
    self.init(
      ratio: values[0], threshold: values[1], depth: values[2], attack: values[3],
      release: values[4])
  }
}

extension CompressorEffect: NumberedEffect {
  mutating func adjust(_ values: [Double]) { settings = Settings(values) }
}

extension CompressorEffect.Settings {
  fileprivate init(_ values: [Double]) {
    self.init(
      ratio: values[0], threshold: values[1], knee: values[2], attack: values[3],
      release: values[4], makeUp: values[5])
  }
}

extension DeEsserEffect: NumberedEffect {
  mutating func adjust(_ values: [Double]) { settings = Settings(values) }
}

extension DeEsserEffect.Settings {
  fileprivate init(_ values: [Double]) {
    self.init(frequency: values[0], threshold: values[1], ratio: values[2], depth: values[3])
  }
}

extension LimiterEffect: NumberedEffect {
  mutating func adjust(_ values: [Double]) { settings = Settings(values) }
}

extension LimiterEffect.Settings {
  fileprivate init(_ values: [Double]) { self.init(ceiling: values[0], release: values[1]) }
}

extension LoudnessEffect: NumberedEffect {
  mutating func adjust(_ values: [Double]) { settings = Settings(values) }
}

extension LoudnessEffect.Settings {
  fileprivate init(_ values: [Double]) {
    self.init(target: values[0], depth: values[1], speed: values[2], gate: values[3])
  }
}

extension DelayEffect: NumberedEffect {
  mutating func adjust(_ values: [Double]) { settings = Settings(values) }
}

extension DelayEffect.Settings {
  fileprivate init(_ values: [Double]) {
    self.init(time: values[0], feedback: values[1], mix: values[2])
  }
}

extension ReverbEffect: NumberedEffect {
  mutating func adjust(_ values: [Double]) { settings = Settings(values) }
}

extension ReverbEffect.Settings {
  fileprivate init(_ values: [Double]) {
    self.init(decay: values[0], damping: values[1], mix: values[2])
  }
}

extension EffectDescription {
  /// Creates an effect of a plugin or a library; throws the reason if that fails.
  func foreignEffect(
    channelCount: Int, sampleRate: Int
  ) throws(EffectError) -> any AdjustableEffect {
    #if os(Linux)
    guard kind == .ladspa else {
      return try DenoiseEffect(depth: values[0], channelCount: channelCount, sampleRate: sampleRate)
    }
    guard let plugin else { throw EffectError("The effect ladspa requires a plugin.") }
    return try LADSPAEffect(plugin, channelCount: channelCount, sampleRate: sampleRate)
    #else
    throw EffectError(
      "The effect \(kind.rawValue) works on Linux only.", "Remove it on this system.",
      kind: .missing)
    #endif
  }
}
