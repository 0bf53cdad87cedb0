import AacornSignal

extension AACEncoder {
  /// The kind of AAC that decoders must support.
  public enum Profile: Sendable, CaseIterable {
    /// AAC-LC, for 44 kb/s per channel and more.
    case lowComplexity
    /// HE-AAC, for 14 to 44 kb/s per channel: SBR derives the upper half of the spectrum.
    case highEfficiency
    /// HE-AAC v2: one channel and a description of the stereo image, for 12 to 28 kb/s in stereo.
    case highEfficiencyV2

    /// The sampling rates that the profile supports, in hertz.
    package var sampleRates: [Int] {
      SamplingFrequency.all.map { $0.hertz }.filter { rate in
        bitrateLimits(sampleRate: rate, channelCount: 2, profile: self) != nil
      }
    }
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

extension AACEncoder.Profile {
  /// Returns the profile with the best quality at `bitrate` bits per second; 0 means a variable
  /// rate.
  public static func recommended(
    bitrate: Int, sampleRate: Int, channelCount: Int
  ) -> AACEncoder.Profile {
    guard bitrate > 0, let layout = ChannelConfiguration(channelCount: channelCount) else {
      return .lowComplexity
    }
    func supports(_ profile: AACEncoder.Profile) -> Bool {
      let limits = AACEncoder.bitrateLimits(
        sampleRate: sampleRate, channelCount: channelCount, profile: profile)
      return limits?.contains(bitrate) ?? false
    }
    // Lower rates need fewer bits: below 44 kHz both limits fall linearly, to zero at 12 kHz.
    let part = min(max(0, sampleRate - 12_000), 32_000)
    let isLowest = bitrate < stereoLimit * part / 32_000
    if isLowest && supports(.highEfficiencyV2) { return .highEfficiencyV2 }
    let isLow = bitrate < replicationLimit * layout.bufferedChannelCount / 32 * part / 1000
    return isLow && supports(.highEfficiency) ? .highEfficiency : .lowComplexity
  }

  /// The bitrate per channel at which coding all bands sounds better than replicating some.
  ///
  /// It applies to 44 kHz and more.
  private static var replicationLimit: Int { 44_000 }
  /// The bitrate from which coding two channels sounds better than parametric stereo.
  private static var stereoLimit: Int { 28_000 }
}

extension AACEncoder {
  /// Returns the default: 64 kb/s per channel, or 32 kb/s in HE-AAC, clamped to the limits.
  public static func defaultRate(
    sampleRate: Int, channelCount: Int, profile: Profile
  ) -> RateControl {
    switch profile {
    case .lowComplexity: defaultRate(sampleRate: sampleRate, channelCount: channelCount)
    case .highEfficiency: .constant(bitsPerSecond: 32_000 * SampleLimits.channelCount(channelCount))
    case .highEfficiencyV2: .constant(bitsPerSecond: 32_000)
    }
  }
}

extension AACEncoder.Configuration {
  /// Creates a configuration with a profile; by default the rate control determines it.
  ///
  /// - Parameters:
  ///   - sampleRate: Samples per second.
  ///   - channelCount: The number of channels.
  ///   - rateControl: The distribution of bits over time; nil for the profile's default rate.
  ///   - effort: The computation spent on quality at the same bitrate.
  ///   - profile: The kind of AAC that decoders must support; nil for `Profile.recommended`.
  ///   - signaling: The signaling if the profile is HE-AAC, also if that is only recommended; nil
  ///     for the container's default.
  public init(
    sampleRate: Int, channelCount: Int, rateControl: AACEncoder.RateControl?,
    effort: AACEncoder.Effort = .balanced, profile: AACEncoder.Profile?,
    signaling: AudioSpecificConfig.Signaling? = nil
  ) {
    let chosen =
      profile
      ?? AACEncoder.Profile.recommended(
        bitrate: rateControl?.nominalBitrate ?? 0, sampleRate: sampleRate,
        channelCount: channelCount)
    self.init(
      sampleRate: sampleRate, channelCount: channelCount,
      rateControl: rateControl
        ?? AACEncoder.defaultRate(
          sampleRate: sampleRate, channelCount: channelCount, profile: chosen),
      effort: effort)
    self.profile = chosen
    // AAC-LC has nothing to signal.
    if profile != nil || chosen != .lowComplexity { self.signaling = signaling }
  }
}
