import AacornRecording

extension AACFileError {
  /// The error and a recovery suggestion, with the command's options.
  var commandMessage: String { message(advising: recoverySuggestion.commandText) }

  /// The message for commands without options for format and audio.
  ///
  /// In these commands the suffix of the output selects the format, and the audio is not converted.
  var spliceMessage: String { message(advising: recoverySuggestion.spliceText) }

  /// The message for `aacorn play`, which has no options for the input format.
  var playMessage: String { message(advising: recoverySuggestion.playText) }

  /// Returns the error for an output that is also an input, where `option` names the output.
  static func isInput(_ output: String, option: String) -> AACFileError {
    .isInput(output, .text("Choose another name with \(option)."))
  }
}

extension AACFileError.RecoverySuggestion {
  /// The recovery suggestion with the command's options; empty if the problem needs none.
  fileprivate var commandText: String {
    switch self {
    case .none, .text, .passAsFile: description
    case .recoveryAction(let remedy): remedy.hint
    case .mixChannels(let count): "Mix them with --channels \(count)."
    case .chooseChannelCount(let counts): "Choose --channels \(Self.list(counts, "or"))."
    case .chooseRate(let rates): "Choose one with --rate: \(Self.list(rates))."
    case .chooseQuality(let range): "Choose --vbr \(range.lowerBound) to \(range.upperBound)."
    case .openFewerFiles: "Try a lower --jobs, or a higher limit (ulimit -n)."
    case .giveFormatOfSamples:
      "For raw samples, use --raw-format; for other formats, \(Self.encodingConversion)"
    case .giveMissingFormat: "Use --raw-format."
    case .makeReadable(let words): "\(Self.encodeFormats) \(words)"
    case .convert: "\(Self.encodeFormats) For other formats, \(Self.encodingConversion)"
    case .encode: "“aacorn encode” reads it."
    case .inspectAAC: "“aacorn inspect” reads \(Self.readableStreams)."
    case .decodeAAC: "“aacorn decode” reads \(Self.readableStreams)."
    case .decodeElsewhere: "Convert with ffmpeg: “ffmpeg -i FILE OUT.wav”."
    case .spliceAAC:
      "“aacorn cut” and “aacorn join” read \(Self.readableStreams). Encode other formats first."
    case .repair: "“aacorn repair” may find them."
    case .chooseLongFormat: "Choose --format wav or caf."
    }
  }

  /// The recovery suggestion for commands whose only choice is the output's name.
  fileprivate var spliceText: String {
    switch self {
    case .recoveryAction(.otherFormat): "Choose a name with another suffix."
    case .recoveryAction(.m4a), .recoveryAction(.lowerBitrateOrM4A),
      .recoveryAction(.otherRateOrM4A),
      .recoveryAction(.twoChannels):
      "Choose a name that ends in .m4a."
    case .openFewerFiles: description
    default: commandText
    }
  }

  /// The recovery suggestion for playback.
  fileprivate var playText: String {
    switch self {
    case .giveFormatOfSamples: "For other formats, \(Self.playbackConversion)"
    case .convert: "\(Self.playFormats) For other formats, \(Self.playbackConversion)"
    case .makeReadable(let words): "\(Self.playFormats) \(words)"
    case .giveMissingFormat, .openFewerFiles: description
    default: commandText
    }
  }

  /// The conversion of unsupported formats for encoding, as the end of a sentence.
  private static let encodingConversion = conversion(for: "encode - -o OUT.m4a")

  /// The conversion of unsupported formats for playback, as the end of a sentence.
  private static let playbackConversion = conversion(for: "play -")

  private static func conversion(for reader: String) -> String {
    "convert with ffmpeg: “ffmpeg -i FILE -f wav - | aacorn \(reader)”."
  }

  /// The formats that `aacorn encode` reads, as text.
  static var encodeFormats: String { "“aacorn encode” reads \(readableSounds)." }

  /// The formats that `aacorn play` reads, as text; equal to the formats of `aacorn encode`.
  private static var playFormats: String { "“aacorn play” reads \(readableSounds)." }
}
