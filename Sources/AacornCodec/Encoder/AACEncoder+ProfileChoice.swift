import AacornSignal

extension AACEncoder.Profile {
  /// The profile that sounds best at so many bits per second; 0 if they vary.
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
    // The fewer samples there are to code, the fewer bits they take.
    let part = min(max(0, sampleRate - 12_000), 32_000)
    let isLowest = bitrate < stereoLimit * part / 32_000
    if isLowest && supports(.highEfficiencyV2) { return .highEfficiencyV2 }
    let isLow = bitrate < replicationLimit * layout.bufferedChannelCount / 32 * part / 1000
    return isLow && supports(.highEfficiency) ? .highEfficiency : .lowComplexity
  }

  /// Bits per second of a channel from which on all bands are better coded than replicated, at
  /// 44 kHz and more.
  private static var replicationLimit: Int { 44_000 }
  /// Bits per second from which on two channels are better coded than described.
  private static var stereoLimit: Int { 28_000 }
}

extension AACEncoder {
  /// What suits most listeners: 64 kb/s per channel, or 32 kb/s in HE-AAC, within the limits for the
  /// rate.
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
  /// A configuration with a profile; without one, the rate control chooses it.
  ///
  /// - Parameters:
  ///   - sampleRate: Samples per second.
  ///   - channelCount: Channels.
  ///   - rateControl: How bits are spent over time; nil for the profile's usual rate.
  ///   - effort: How much work goes into better sound quality at the same rate.
  ///   - profile: What decoders need; nil for `Profile.recommended`.
  ///   - signaling: How HE-AAC is signaled, even if it is only recommended; nil for what suits the
  ///     container.
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
    // Where AAC-LC is recommended, there is nothing to signal.
    if profile != nil || chosen != .lowComplexity { self.signaling = signaling }
  }
}
