public import AacornApple
public import AacornCodec
import AacornSignal
import AacornSystem

/// The format, the processing and the coding of a recording.
public struct RecordingConfiguration: Sendable {
  /// The format for the outputs.
  public enum Coding: Sendable, Equatable {
    /// AAC-LC, HE-AAC or HE-AAC v2.
    ///
    /// The outputs choose the signaling of HE-AAC unless `signaling` sets it. ADTS, also used for
    /// Icecast, has only implicit signaling.
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

  /// The rule for starting a new file.
  ///
  /// The files, played in succession, reproduce the recording to the sample.
  public enum Split: Sendable, Equatable {
    /// Never automatically.
    case never
    /// After this duration of audio.
    case every(Duration)
    /// Before the file exceeds this many bytes.
    case bytes(Int)
    /// In every silence of two seconds.
    case onSilence
  }

  /// Frames per second of the recording, independent of the device's rate.
  public var sampleRate: Int
  /// The number of channels of the recording.
  public var channelCount: Int
  /// The device's channels to use, counted from 0; empty uses all and mixes them.
  public var channelMap: [Int] = []
  /// The coding of the audio.
  public var coding: Coding
  /// The AAC encoder; this package's by default.
  ///
  /// The system's encoder exists only on Apple's systems and accepts one or two channels. It has
  /// its own set of bitrates, which do not change while it runs.
  public var backEnd = AACBackEnd.own
  /// Further codings of the same recording, for outputs with other bitrates or profiles; see
  /// ``RenditionOutput``.
  ///
  /// All of these must be AAC, in any profile, if `coding` is AAC, and samples otherwise.
  public var furtherCodings: [Coding] = []
  /// The gain factor for the samples.
  public var gain: Float = 1
  /// The effects of the recording, before it is measured, split and coded; see <doc:Effects>.
  ///
  /// The latency of effects is compensated, so times and lengths do not change.
  public var effects: [EffectDescription] = []
  /// Whether the recording begins muted.
  public var isMuted = false
  /// The duration to record; nil records until `stop`.
  public var duration: Duration?
  /// The rule for starting a new file.
  public var split = Split.never
  /// Whether the audio is stretched by millionths to follow the computer's clock rather than the
  /// device's, so that an hour of audio lasts an hour.
  public var followsWallClock = false
  /// Whether AAC packets contain statistics of the encoder.
  public var collectsStatistics = false
  /// The monitor during the recording; nil for none.
  public var monitor: MonitorConfiguration?
  /// Files with one track each in addition to the mix; nil for none.
  public var multitrack: Multitrack?

  /// Creates a configuration; by default for 48 kHz, stereo and AAC at 128 kb/s.
  ///
  /// Without a coding, the recording is AAC at the encoder's default bitrate.
  public init(
    sampleRate: Int = AACEncoder.defaultSampleRate,
    channelCount: Int = AACEncoder.defaultChannelCount, coding: Coding? = nil
  ) {
    self.sampleRate = sampleRate
    self.channelCount = channelCount
    self.coding =
      coding
      ?? .aac(
        rateControl: AACEncoder.defaultRate(sampleRate: sampleRate, channelCount: channelCount),
        effort: .balanced)
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

  /// The codings of all renditions, in order.
  package var codings: [Coding] { [coding] + furtherCodings }

  /// The relation of samples to coded units; PCM has one sample per unit.
  package var timing: StreamTiming { timing(of: 0) }

  /// Returns the timing of a rendition, or of the first one if there is no rendition with this
  /// number.
  package func timing(of rendition: Int) -> StreamTiming {
    let chosen = codings.indices.contains(rendition) ? codings[rendition] : coding
    return settings(chosen)?.timing ?? StreamTiming(sampleRate: sampleRate, samplesPerUnit: 1)
  }

  /// Returns the bitrates that a rendition may change to while it is encoded.
  ///
  /// Rendition 0 is the recording's coding; its further codings are renditions 1, 2 and so on. The
  /// result is nil for samples, at a constant quality, with the system's encoder, and for an
  /// unknown rendition.
  public func adaptableBitrates(ofRendition rendition: Int = 0) -> ClosedRange<Int>? {
    guard backEnd == .own, codings.indices.contains(rendition) else { return nil }
    return settings(codings[rendition])?.adaptableBitrates
  }

  /// Returns the encoder's settings for a coding of this recording; nil for samples.
  func settings(_ coding: Coding) -> AACEncoder.Configuration? {
    guard case .aac(let rateControl, let effort, let profile, let signaling) = coding else {
      return nil
    }
    return AACEncoder.Configuration(
      sampleRate: sampleRate, channelCount: channelCount, rateControl: rateControl, effort: effort,
      profile: profile, signaling: signaling)
  }

  /// Returns the AAC coding for this recording with a rate control, or at the encoder's default
  /// bitrate.
  ///
  /// Without a profile, the bitrate or quality determines the profile. Throws if the encoder
  /// rejects the settings.
  package func aac(
    _ rateControl: AACEncoder.RateControl?, effort: AACEncoder.Effort,
    profile: AACEncoder.Profile? = .lowComplexity,
    signaling: AudioSpecificConfig.Signaling? = nil
  ) throws(RecordingError) -> Coding {
    let settings = AACEncoder.Configuration(
      sampleRate: sampleRate, channelCount: channelCount, rateControl: rateControl, effort: effort,
      profile: profile, signaling: signaling)
    try rethrow(as: RecordingError.encoder, settings.validate())
    return .aac(
      rateControl: settings.rateControl, effort: effort, profile: settings.profile,
      signaling: settings.signaling)
  }

  /// Throws if the encoder rejects a coding of this recording.
  func validate(_ coding: Coding) throws(RecordingError) {
    guard let chosen = settings(coding) else {
      let (channels, rates) = (1...SampleLimits.maxChannelCount, 1...1_000_000)
      if channels.contains(channelCount), rates.contains(sampleRate) { return }
      throw .output(
        OutputError(
          .unsupported,
          "Samples cannot be recorded with \(channelCount) channels at \(sampleRate) Hz. Choose 1 to "
            + "\(channels.upperBound) channels and 1 to \(rates.upperBound) Hz."))
    }
    if backEnd == .own { try rethrow(as: RecordingError.encoder, chosen.validate()) }
    try rethrow(as: RecordingError.backEnd, backEnd.validate(chosen))
  }
}
