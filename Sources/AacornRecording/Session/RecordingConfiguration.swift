public import AacornCodec

/// What to record, and how to code it.
public struct RecordingConfiguration: Sendable {
  /// The format for the outputs.
  public enum Coding: Sendable, Equatable {
    /// AAC-LC, HE-AAC or HE-AAC v2.
    ///
    /// How HE-AAC is signaled is left to the outputs, unless `signaling` says it. ADTS, as for
    /// Icecast, has no place for it.
    case aac(
      rateControl: AACEncoder.RateControl, effort: AACEncoder.Effort,
      profile: AACEncoder.Profile = .lowComplexity,
      signaling: AudioSpecificConfig.Signaling? = nil)
    /// The samples as 16-bit integers.
    case int16
    /// The samples unchanged, in single precision.
    case float32

    /// The profile of AAC; nil for samples.
    package var profile: AACEncoder.Profile? {
      if case .aac(_, _, let profile, _) = self { profile } else { nil }
    }
  }

  /// When a new file begins.
  ///
  /// The parts, played in succession, reproduce the recording to the sample.
  public enum Split: Sendable, Equatable {
    /// Never automatically.
    case never
    /// After this much audio.
    case every(Duration)
    /// Before the file exceeds this many bytes.
    case bytes(Int)
    /// In every silence of two seconds.
    case onSilence
  }

  /// Frames per second in the recording, whatever the device's rate.
  public var sampleRate: Int
  /// Channels of the recording.
  public var channelCount: Int
  /// Which of the device's channels to use, counted from 0; empty uses all and mixes them.
  public var channelMap: [Int]
  /// How it is coded.
  public var coding: Coding
  /// Whose encoder makes AAC; this package's, unless something else is asked for.
  ///
  /// That of the system exists on Apple's systems only and takes one or two channels. Its bitrates are
  /// its own, and do not change while it runs.
  public var backEnd: AACBackEnd
  /// Further codings made at the same time, for outputs that want several bitrates or another one;
  /// see ``RenditionOutput``.
  ///
  /// All of these are AAC, in any profile, if `coding` is AAC, and samples otherwise.
  public var furtherCodings: [Coding]
  /// The factor that the samples are multiplied by.
  public var gain: Float
  /// What the sound goes through before it is measured, split and coded; see <doc:Effects>.
  ///
  /// Effects that hear ahead change neither times nor lengths.
  public var effects: [EffectDescription]
  /// Whether it begins muted.
  public var isMuted: Bool
  /// How much to record; nil records until it is stopped.
  public var duration: Duration?
  /// When a new file begins.
  public var split: Split
  /// Whether the audio is stretched by millionths, so that an hour of it lasts an hour by the
  /// computer's clock rather than the device's.
  public var followsWallClock: Bool
  /// Whether packets of AAC say what the encoder did with their frames.
  public var collectsStatistics: Bool
  /// How it is heard while it is recorded; nil if it is not.
  public var monitor: MonitorConfiguration?
  /// Files with one track each beside the mix; nil if there are none.
  public var multitrack: Multitrack?

  /// Creates a configuration; without arguments, for 48 kHz, stereo and AAC at 128 kb/s.
  ///
  /// Without a coding it is AAC at the encoder's default rate.
  public init(
    sampleRate: Int = AACEncoder.defaultSampleRate,
    channelCount: Int = AACEncoder.defaultChannelCount, coding: Coding? = nil
  ) {
    self.sampleRate = sampleRate
    self.channelCount = channelCount
    channelMap = []
    self.coding =
      coding
      ?? .aac(
        rateControl: AACEncoder.defaultRate(sampleRate: sampleRate, channelCount: channelCount),
        effort: .balanced)
    backEnd = .own
    furtherCodings = []
    gain = 1
    effects = []
    isMuted = false
    duration = nil
    split = .never
    followsWallClock = false
    collectsStatistics = false
    multitrack = nil
  }

  /// Creates a configuration for AAC at a constant bitrate.
  public init(
    sampleRate: Int = AACEncoder.defaultSampleRate,
    channelCount: Int = AACEncoder.defaultChannelCount, bitrate: Int,
    effort: AACEncoder.Effort = .balanced
  ) {
    self.init(
      sampleRate: sampleRate, channelCount: channelCount,
      coding: .aac(rateControl: .constant(bitsPerSecond: bitrate), effort: effort))
  }

  /// Creates a configuration with the settings of a preset.
  public init(_ preset: AACEncoder.Preset) {
    let settings = preset.configuration
    self.init(
      sampleRate: settings.sampleRate, channelCount: settings.channelCount,
      coding: .aac(
        rateControl: settings.rateControl, effort: settings.effort, profile: settings.profile,
        signaling: settings.signaling))
  }
}
