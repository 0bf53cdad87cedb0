package import AacornCodec

/// The settings for processing and coding the audio of a file; nil means a value that suits the
/// input.
package struct EncodeOptions: Equatable, Sendable {
  /// The bitrate or quality; nil for 64 kb/s per channel, 32 in HE-AAC, less in HE-AAC v2.
  package var rateControl: AACEncoder.RateControl?
  /// The computing effort for quality.
  package var effort = AACEncoder.Effort.balanced
  /// The AAC profile; nil if it depends on the bitrate.
  package var profile: AACEncoder.Profile? = .lowComplexity
  /// The signaling of HE-AAC; nil if it depends on the format.
  package var signaling: AudioSpecificConfig.Signaling?
  /// The highest coded frequency, in hertz; nil if it depends on the bitrate.
  package var bandwidth: Int?
  /// The sampling rate to convert to, in hertz; nil for the input's rate or, if AAC does not have
  /// it, a similar rate.
  package var sampleRate: Int?
  /// The number of channels to mix to; nil for the input's.
  package var channelCount: Int?
  /// The target loudness; nil for no change.
  package var loudness: LoudnessTarget?
  /// Whether the tags contain the loudness; always the case with a target loudness.
  package var statesLoudness = false
  /// The effects before encoding.
  package var effects: [EffectDescription] = []
  /// Whether the encoder uses only tools of MPEG-2 AAC.
  package var isMPEG2 = false

  /// Creates options that suit the input.
  package init() {}
}
