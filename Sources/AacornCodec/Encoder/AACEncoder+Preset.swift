extension AACEncoder {
  /// Named settings for programs that offer a choice.
  public enum Preset: Sendable, CaseIterable {
    /// A voice at a low bitrate: HE-AAC, mono, 48 kHz, 24 kb/s.
    case smallSpeech
    /// A voice for any player: AAC-LC, mono, 24 kHz, 32 kb/s.
    case speech
    /// A voice with full bandwidth: AAC-LC, mono, 48 kHz, 64 kb/s.
    case fineSpeech
    /// A radio station at a low bitrate: HE-AAC v2, stereo, 48 kHz, 32 kb/s.
    case smallRadio
    /// A radio station with music and speech: HE-AAC, stereo, 48 kHz, 48 kb/s.
    case radio
    /// Music for most listeners: AAC-LC, stereo, 48 kHz, 96 kb/s.
    case music
    /// Music that is hard to distinguish from the original: AAC-LC, stereo, 48 kHz, 128 kb/s.
    case fineMusic

    /// The configuration of the preset.
    ///
    /// Small speech uses 48 kHz rather than 32: both replicate the same band, but a frame lasts 43
    /// ms rather than 64, which suits the changes of a voice.
    public var configuration: Configuration {
      switch self {
      case .smallSpeech:
        Configuration(
          sampleRate: 48_000, channelCount: 1, rateControl: .constant(bitsPerSecond: 24_000),
          profile: .highEfficiency)
      case .speech: Configuration(sampleRate: 24_000, channelCount: 1, bitrate: 32_000)
      case .fineSpeech: Configuration(sampleRate: 48_000, channelCount: 1, bitrate: 64_000)
      case .smallRadio:
        Configuration(
          sampleRate: 48_000, channelCount: 2, rateControl: .constant(bitsPerSecond: 32_000),
          profile: .highEfficiencyV2)
      case .radio:
        Configuration(
          sampleRate: 48_000, channelCount: 2, rateControl: .constant(bitsPerSecond: 48_000),
          profile: .highEfficiency)
      case .music: Configuration(sampleRate: 48_000, channelCount: 2, bitrate: 96_000)
      case .fineMusic: Configuration(sampleRate: 48_000, channelCount: 2, bitrate: 128_000)
      }
    }
  }

  /// Creates an encoder with a constant bitrate; the default is 64 kb/s per channel.
  public init(
    sampleRate: Int = AACEncoder.defaultSampleRate,
    channelCount: Int = AACEncoder.defaultChannelCount, bitrate: Int? = nil,
    effort: Effort = .balanced
  ) throws(EncoderError) {
    try self.init(
      Configuration(
        sampleRate: sampleRate, channelCount: channelCount,
        rateControl: bitrate.map { .constant(bitsPerSecond: $0) }, effort: effort))
  }

  /// Creates an encoder with the settings of a preset.
  public init(_ preset: Preset) throws(EncoderError) {
    try self.init(preset.configuration)
  }
}
