extension AACEncoder {
  /// Settings with a name, for programs that offer a choice.
  public enum Preset: Sendable, CaseIterable {
    /// One voice over a thin line: mono, 24 kHz, 32 kb/s.
    case speech
    /// Voices as on the radio: mono, 48 kHz, 64 kb/s.
    case fineSpeech
    /// Music for most listeners: stereo, 48 kHz, 96 kb/s.
    case music
    /// Music that is hard to tell from the original: stereo, 48 kHz, 128 kb/s.
    case fineMusic

    /// The settings.
    public var configuration: Configuration {
      switch self {
      case .speech: Configuration(sampleRate: 24_000, channelCount: 1, bitrate: 32_000)
      case .fineSpeech: Configuration(sampleRate: 48_000, channelCount: 1, bitrate: 64_000)
      case .music: Configuration(sampleRate: 48_000, channelCount: 2, bitrate: 96_000)
      case .fineMusic: Configuration(sampleRate: 48_000, channelCount: 2, bitrate: 128_000)
      }
    }
  }

  /// Creates an encoder with a constant bitrate; without one, 64 kb/s per channel.
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
