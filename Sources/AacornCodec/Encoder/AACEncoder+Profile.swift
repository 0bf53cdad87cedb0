extension AACEncoder {
  /// The kind of AAC that decoders must support.
  public enum Profile: Sendable, CaseIterable {
    /// AAC-LC, for 44 kb/s per channel and more.
    case lowComplexity
    /// HE-AAC, for 14 to 44 kb/s per channel: SBR derives the upper half of the spectrum.
    case highEfficiency
    /// HE-AAC v2: one channel and a description of the stereo image, for 12 to 28 kb/s in stereo.
    case highEfficiencyV2
  }

  /// Returns the useful bitrates for a rate, a number of channels and a profile.
  ///
  /// The result is nil if the profile does not support the rate or the number of channels.
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

  /// Returns 8 to 64 kb/s per channel, limited by the core's buffer.
  private static func replicationLimits(
    sampleRate: Int, channelCount: Int
  ) -> ClosedRange<Int>? {
    guard supportsReplication(sampleRate: sampleRate, channelCount: channelCount),
      let core = bitrateLimits(sampleRate: sampleRate / 2, channelCount: channelCount)
    else { return nil }
    return 8_000 * channelCount...min(64_000 * channelCount, core.upperBound)
  }

  /// Returns 12 to 128 kb/s, limited by the buffer of the core's single channel.
  private static func stereoLimits(sampleRate: Int, channelCount: Int) -> ClosedRange<Int>? {
    guard channelCount == 2, supportsReplication(sampleRate: sampleRate, channelCount: 1),
      let core = bitrateLimits(sampleRate: sampleRate / 2, channelCount: 1)
    else { return nil }
    return 12_000...min(128_000, core.upperBound)
  }

  static func supportsReplication(sampleRate: Int, channelCount: Int) -> Bool {
    (16_000...48_000).contains(sampleRate) && sampleRate % 2 == 0
      && SamplingFrequency(hertz: sampleRate / 2) != nil
      && SamplingFrequency(hertz: sampleRate) != nil
      && ChannelConfiguration(channelCount: channelCount) != nil
  }
}

extension AACEncoder.Configuration {
  /// Returns the decoder configuration, which a decoder needs before the first unit.
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
