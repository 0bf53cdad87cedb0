package import AacornCodec
package import AacornContainers
package import AacornSignal

/// The input, the output and the options of encoding a file.
package struct EncodeRequest: Sendable {
  package let origin: SoundOrigin
  /// The path of the output; `-` for standard output.
  package let output: String
  package let format: CodedFileWriter.Format
  /// The format of samples without a header; nil if there is one.
  package var rawFormat: PCMFormat?
  /// The processing and coding of the audio.
  package var options = EncodeOptions()
  /// Tags, for M4A; without an encoder tag they name this encoder.
  package var tags = MP4Tags()
  /// Whether missing tags, the cover and the chapters are taken from the input.
  package var keepsTags = true
  package var replacesExisting = false
  /// Whether the output's folder is created if it is missing.
  package var makesFolders = false
  package var threadCount = 1

  /// Creates a request with options that suit the input.
  package init(
    _ origin: SoundOrigin, to output: String, _ format: CodedFileWriter.Format
  ) {
    self.origin = origin
    self.output = output
    self.format = format
  }
}

/// The settings for processing and coding the audio of a file; nil means a value that suits the
/// input.
package struct EncodeOptions: Equatable, Sendable {
  /// The bitrate or quality; nil for 64 kb/s per channel, 32 in HE-AAC, less in HE-AAC v2.
  package var rateControl: AACEncoder.RateControl?
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

/// The source of the audio to encode.
package enum SoundOrigin: Equatable, Sendable {
  /// The file at a path.
  case file(String)
  /// Standard input.
  case standardInput
  /// The built-in tone, with its duration.
  case tone(milliseconds: Int)

  /// The name in messages.
  package var name: String {
    switch self {
    case .file(let path): path
    case .standardInput: "standard input"
    case .tone: "tone"
    }
  }
}
