import AacornSignal

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
