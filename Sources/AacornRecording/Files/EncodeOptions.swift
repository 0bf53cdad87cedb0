package import AacornCodec

/// How to process and code the audio of a file; nil means "as suits the input".
package struct EncodeOptions: Equatable, Sendable {
  /// The bitrate or quality; nil for 64 kb/s a channel, 32 in HE-AAC, less in v2.
  package var rateControl: AACEncoder.RateControl?
  /// How much work goes into the quality.
  package var effort = AACEncoder.Effort.balanced
  /// What decoders need; nil if the bitrate decides.
  package var profile: AACEncoder.Profile? = .lowComplexity
  /// How HE-AAC is signaled; nil if the format decides.
  package var signaling: AudioSpecificConfig.Signaling?
  /// The highest coded frequency, in hertz; nil if the bitrate decides.
  package var bandwidth: Int?
  /// The rate to convert to; nil for the input's, or a near one that AAC has.
  package var sampleRate: Int?
  /// The number of channels to mix to; nil for the input's.
  package var channelCount: Int?
  /// How loud the sound is to become; nil to leave it as it is.
  package var loudness: LoudnessTarget?
  /// Whether the tags say how loud the sound is; they do in any case where that is chosen.
  package var statesLoudness = false
  /// What the sound goes through before it is coded.
  package var effects: [EffectDescription] = []
  /// Whether only what MPEG-2 AAC has is used.
  package var isMPEG2 = false

  /// Everything as suits the input.
  package init() {}
}
