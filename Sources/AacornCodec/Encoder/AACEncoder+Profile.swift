extension AACEncoder {
  /// How much of MPEG-4 audio a stream asks of its decoders.
  public enum Profile: Sendable, CaseIterable {
    /// AAC-LC, for 44 kb/s a channel and more.
    case lowComplexity
    /// HE-AAC: the upper half of the spectrum is made of the lower one (SBR), for 14 to 44 kb/s a
    /// channel.
    case highEfficiency
    /// HE-AAC v2: the two channels are one and a description of how they differ as well, for 12 to
    /// 28 kb/s of stereo.
    case highEfficiencyV2
  }

  /// The useful bitrates for a rate, a number of channels and a profile; nil if it does not support
  /// one of them.
  public static func bitrateLimits(
    sampleRate: Int, channelCount: Int, profile: Profile
  ) -> ClosedRange<Int>? {
    switch profile {
    case .lowComplexity: bitrateLimits(sampleRate: sampleRate, channelCount: channelCount)
    case .highEfficiency:
      replicationLimits(sampleRate: sampleRate, channelCount: channelCount)
    case .highEfficiencyV2: stereoLimits(sampleRate: sampleRate, channelCount: channelCount)
    }
  }

  /// 8 to 64 kb/s a channel, as far as the core's buffer goes.
  private static func replicationLimits(
    sampleRate: Int, channelCount: Int
  ) -> ClosedRange<Int>? {
    guard supportsReplication(sampleRate: sampleRate, channelCount: channelCount),
      let core = bitrateLimits(sampleRate: sampleRate / 2, channelCount: channelCount)
    else { return nil }
    return 8_000 * channelCount...min(64_000 * channelCount, core.upperBound)
  }

  /// As for two channels, as far as the buffer of one goes.
  private static func stereoLimits(sampleRate: Int, channelCount: Int) -> ClosedRange<Int>? {
    guard channelCount == 2, supportsReplication(sampleRate: sampleRate, channelCount: 1),
      let core = bitrateLimits(sampleRate: sampleRate / 2, channelCount: 1)
    else { return nil }
    return 12_000...min(128_000, core.upperBound)
  }

  /// Whether HE-AAC exists for an output rate and a number of channels.
  static func supportsReplication(sampleRate: Int, channelCount: Int) -> Bool {
    (16_000...48_000).contains(sampleRate) && sampleRate % 2 == 0
      && SamplingFrequency(hertz: sampleRate / 2) != nil
      && SamplingFrequency(hertz: sampleRate) != nil
      && ChannelConfiguration(channelCount: channelCount) != nil
  }
}

extension AACEncoder.Configuration {
  /// What a decoder must know before the first unit.
  func audioSpecificConfig(
    _ frequency: SamplingFrequency, _ layout: ChannelConfiguration
  ) -> AudioSpecificConfig {
    var config = AudioSpecificConfig(
      objectType: .lowComplexity, sampleRate: frequency.hertz,
      channelConfiguration: layout.rawValue)
    if profile != .lowComplexity {
      config.extensionSampleRate = sampleRate
      config.signaling = signaling ?? .backwardCompatible
      config.hasParametricStereo = profile == .highEfficiencyV2
    }
    return config
  }
}
