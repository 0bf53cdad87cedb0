import AacornSystem

extension AACFileError {
  /// What to do about an error.
  ///
  /// What depends on how the caller is told its wishes has a case of its own, so that a program can
  /// say it in its own terms; the property `words` has general ones.
  public enum Advice: Equatable, Sendable {
    /// The problem says it all.
    case none
    /// Sentences that hold everywhere.
    case words(String)
    /// It helps what helps an output of a recording.
    case remedy(OutputError.Remedy)
    /// The channels may be mixed to this many.
    case mixChannels(to: Int)
    /// One of these numbers of channels must be chosen.
    case chooseChannelCount([Int])
    /// One of these sampling rates must be chosen, in hertz.
    case chooseRate([Int])
    /// A quality from this range must be chosen.
    case chooseQuality(ClosedRange<Int>)
    /// Fewer files should be open at the same time.
    case openFewerFiles
    /// If the input is samples without a header, their format must be given.
    case giveFormatOfSamples
    /// It must be passed as a file rather than a pipe; the words say what about it demands that, as the
    /// end of a sentence.
    case passAsFile(because: String)
    /// The format of the samples must be given, since the input does not say it.
    case giveMissingFormat
    /// The input must be brought into a format that is read; the words say how.
    case makeReadable(String)
    /// The input must be converted to a WAV file, or by a program that passes one on.
    case convert
    /// The file can be encoded.
    case encode
    /// Only files with AAC can be inspected.
    case inspectAAC
    /// Only files with AAC can be decoded.
    case decodeAAC
    /// Another program must decode it.
    case decodeElsewhere
    /// Only files with AAC can be cut and joined.
    case spliceAAC
    /// A repair may find what is missing.
    case repair
    /// Another format of files holds more sound.
    case chooseLongFormat
  }
}

extension AACFileError.Advice {
  /// What to do, in general words; empty if the problem says it all.
  public var words: String {
    switch self {
    case .none: ""
    case .words(let words): words
    case .remedy(let remedy): remedy.sentence
    case .mixChannels(let count): "Mix them to \(QuantityText.count(count, "channel"))."
    case .chooseChannelCount(let counts): "Choose \(Self.list(counts, "or")) channels."
    case .chooseRate(let rates): "Choose one of these: \(Self.list(rates))."
    case .chooseQuality(let range): "Choose \(range.lowerBound) to \(range.upperBound)."
    case .openFewerFiles: "Open fewer files at a time, or raise the limit (ulimit -n)."
    case .giveFormatOfSamples: "If it contains raw samples, convert them to a WAV file first."
    case .passAsFile: "Pass it as a file."
    case .giveMissingFormat: "Convert its samples to a WAV file first."
    case .makeReadable(let words): "\(Self.readableSounds) can be encoded. \(words)"
    case .convert: "\(Self.readableSounds) can be encoded. Convert it to WAV first."
    case .encode: "It can be encoded."
    case .inspectAAC: "\(Self.readableStreams) can be inspected."
    case .decodeAAC: "\(Self.readableStreams) can be decoded."
    case .decodeElsewhere: "Convert it to WAV with another program."
    case .spliceAAC: "\(Self.readableStreams) can be cut and joined. Encode other sound first."
    case .repair: "A repair may find them."
    case .chooseLongFormat: "Choose WAV or CAF."
    }
  }

  /// The sound files that can be encoded.
  package static let readableSounds =
    "WAV, AIFF, CAF, FLAC, MP3, Ogg Vorbis, Opus, W64, AU and AAC"

  /// Those of them that are no AAC yet.
  package static let sourceSounds = "WAV, AIFF, CAF, FLAC, MP3, Ogg Vorbis, Opus, W64 and AU"

  /// The files that can be inspected and decoded.
  package static let readableStreams =
    "AAC in ADTS, LATM, ADIF, MP4 (M4A) and MPEG transport stream files"

  /// Numbers in a sentence: `8000, 11025`, or `1 or 2` with a word before the last.
  package static func list(_ numbers: [Int], _ word: String? = nil) -> String {
    let texts = numbers.map { "\($0)" }
    return word.map { listed(texts, $0) } ?? texts.joined(separator: ", ")
  }
}
