import AacornRecording

extension AACFileError {
  /// The problem, and what to do about it, with the command's options.
  var commandSentence: String { sentence(advising: advice.commandWords) }

  /// The failure for writing a file that is read, if `option` names the output.
  static func isInput(_ output: String, option: String) -> AACFileError {
    .isInput(output, .words("Choose another name with \(option)."))
  }
}

extension AACFileError.Advice {
  /// What to do, with the command's options; empty if the problem says it all.
  fileprivate var commandWords: String {
    switch self {
    case .none, .words: words
    case .remedy(let remedy): remedy.advice
    case .mixChannels(let count): "Mix them with --channels \(count)."
    case .chooseChannelCount(let counts): "Choose --channels \(Self.list(counts, "or"))."
    case .chooseRate(let rates): "Choose one with --rate: \(Self.list(rates))."
    case .chooseQuality(let range): "Choose --vbr \(range.lowerBound) to \(range.upperBound)."
    case .openFewerFiles: "Try a lower --jobs, or a higher limit (ulimit -n)."
    case .giveFormatOfSamples: "For raw samples, use --raw-format; for other sound, \(Self.pipe)"
    case .giveMissingFormat: "Use --raw-format."
    case .makeReadable(let words): "\(Self.whatEncodeReads) \(words)"
    case .convert: "\(Self.whatEncodeReads) To get at other sound, \(Self.pipe)"
    case .encode: "“aacorn encode” reads it."
    case .inspectAAC: "“aacorn inspect” reads \(Self.readableStreams)."
    case .decodeAAC: "“aacorn decode” reads \(Self.readableStreams)."
    case .chooseLongFormat: "Choose --format wav or caf."
    }
  }

  /// How what is not read is encoded, as the end of a sentence.
  private static let pipe =
    "let ffmpeg convert it: “ffmpeg -i FILE -f wav - | aacorn encode - -o OUT.m4a”."

  /// The inputs of `aacorn encode`, as a sentence.
  static var whatEncodeReads: String { "“aacorn encode” reads \(readableSounds)." }
}
