import AacornSignal

extension AACEncoder {
  /// The settings of an encoder.
  public struct Configuration: Equatable, Sendable {
    /// Samples per second: one of the thirteen rates that have an index in AAC.
    ///
    /// HE-AAC supports the rates from 16 to 48 kHz.
    public var sampleRate: Int
    /// The number of channels, 1…6 or 8, in the order of a WAV file.
    public var channelCount: Int
    /// The distribution of bits over time.
    public var rateControl: RateControl
    /// The computation spent on quality at the same bitrate.
    public var effort: Effort
    /// The kind of AAC that decoders must support.
    public var profile = Profile.lowComplexity
    /// The signaling of HE-AAC in the decoder's configuration; nil for the container's default.
    ///
    /// Without a container the default is `backwardCompatible`. ADTS does not contain this
    /// configuration, so the property has no effect there.
    public var signaling: AudioSpecificConfig.Signaling?
    /// The highest frequency to code, in hertz; nil for the encoder's choice.
    ///
    /// HE-AAC ignores this value.
    public var bandwidth: Int?
    /// Whether to use only the tools of MPEG-2 AAC, which has no noise substitution.
    public var isMPEG2 = false
    /// The optional coding tools that the encoder may use.
    public var tools: Tools = .all

    /// Creates a configuration; `validate` and the initializer of an encoder check it.
    ///
    /// The default rate control is `AACEncoder.defaultRate`.
    public init(
      sampleRate: Int = AACEncoder.defaultSampleRate,
      channelCount: Int = AACEncoder.defaultChannelCount, rateControl: RateControl? = nil,
      effort: Effort = .balanced
    ) {
      self.sampleRate = sampleRate
      self.channelCount = channelCount
      self.rateControl =
        rateControl
        ?? AACEncoder.defaultRate(sampleRate: sampleRate, channelCount: channelCount)
      self.effort = effort
    }

    /// Creates a configuration with a constant bitrate.
    public init(sampleRate: Int, channelCount: Int, bitrate: Int, effort: Effort = .balanced) {
      self.init(
        sampleRate: sampleRate, channelCount: channelCount,
        rateControl: .constant(bitsPerSecond: bitrate), effort: effort)
    }

    /// Throws the error that creating an encoder would throw.
    public func validate() throws(EncoderError) { _ = try Settings(self) }

    /// The mapping between access units and samples.
    ///
    /// The first decoded unit contains only priming; the audio begins with the second. Band
    /// replication adds a delay of 962 samples, which decoders do not remove.
    public var timing: StreamTiming {
      let isReplicated = profile != .lowComplexity
      return StreamTiming(
        sampleRate: sampleRate, samplesPerUnit: isReplicated ? 2048 : 1024,
        priming: isReplicated ? 2048 + StreamTiming.replicationDelay : 1024,
        nominalBitrate: rateControl.nominalBitrate)
    }
  }

  /// The distribution of bits over time.
  ///
  /// Bitrates count access units, without the container's overhead.
  public enum RateControl: Equatable, Sendable {
    /// A constant rate; the size of frames varies within the decoder's buffer of 6144 bits per
    /// channel.
    case constant(bitsPerSecond: Int)
    /// An average rate, which the stream meets over a long time.
    case average(bitsPerSecond: Int)
    /// A constant quality, level 1 (small) … 5 (transparent).
    case variable(level: Int)
  }

  /// The computation spent on quality at the same bitrate.
  public enum Effort: Sendable, CaseIterable {
    /// Closed-form scalefactors and sine windows.
    case fast
    /// Three scalefactors tried for each band, and the better window shape.
    case balanced
    /// Seven scalefactors tried for each band.
    case best
  }

  /// Optional coding tools.
  public struct Tools: OptionSet, Sendable {
    /// The bits of the set.
    public let rawValue: Int

    /// Creates a set from its bits.
    public init(rawValue: Int) {
      self.rawValue = rawValue
    }

    /// Short windows at attacks.
    public static let blockSwitching = Tools(rawValue: 1)
    /// Temporal noise shaping.
    public static let noiseShaping = Tools(rawValue: 2)
    /// Mid and side instead of left and right.
    public static let midSide = Tools(rawValue: 4)
    /// One spectrum and a direction for each band instead of two spectra.
    public static let intensity = Tools(rawValue: 8)
    /// Noise of the right energy where coded lines would be little better than noise.
    public static let noiseSubstitution = Tools(rawValue: 16)
    /// Kaiser-Bessel derived windows where the side lobes of the sine window would cost bits.
    public static let windowShape = Tools(rawValue: 32)
    /// Every tool.
    public static let all: Tools = [
      .blockSwitching, .noiseShaping, .midSide, .intensity, .noiseSubstitution, .windowShape,
    ]
  }

  /// Returns the useful bitrates for a rate and a number of channels.
  ///
  /// The result is nil if AAC does not support the rate or the number of channels.
  ///
  /// The minimum is a bitrate that an encoder can meet with any audio. The maximum follows from the
  /// decoder's buffer: 6144 bits per frame for every channel except the LFE. Two bytes are
  /// subtracted, because frames are whole bytes but their mean size may be a fraction.
  public static func bitrateLimits(sampleRate: Int, channelCount: Int) -> ClosedRange<Int>? {
    guard SamplingFrequency(hertz: sampleRate) != nil,
      let channels = ChannelConfiguration(channelCount: channelCount)
    else { return nil }
    let lowest = max(2_000, sampleRate * 200 / 1024) * channelCount
    let largestFrame = Int64(
      FrameLimits.bufferBitsPerChannel * channels.bufferedChannelCount - 16)
    let highest = Int(largestFrame * Int64(sampleRate) / 1024)
    return lowest...highest
  }

  /// The most common rate of current audio hardware.
  public static var defaultSampleRate: Int { 48_000 }

  /// Stereo.
  public static var defaultChannelCount: Int { 2 }

  /// Returns 64 kb/s per channel, clamped to the limits for the rate.
  public static func defaultRate(sampleRate: Int, channelCount: Int) -> RateControl {
    let wanted = 64_000 * SampleLimits.channelCount(channelCount)
    guard let limits = bitrateLimits(sampleRate: sampleRate, channelCount: channelCount) else {
      return .constant(bitsPerSecond: wanted)
    }
    return .constant(bitsPerSecond: min(max(wanted, limits.lowerBound), limits.upperBound))
  }
}

extension AACEncoder.RateControl {
  /// The requested bits per second; 0 for a variable rate.
  public var nominalBitrate: Int {
    switch self {
    case .constant(let bitsPerSecond), .average(let bitsPerSecond): bitsPerSecond
    case .variable: 0
    }
  }
}

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
