import AacornCodec
package import AacornContainers
import AacornSignal
package import AacornSystem

/// The reason why a file could not be encoded, decoded, inspected or written.
public struct AACFileError: Error, CustomStringConvertible, Equatable, Sendable {
  /// The kinds of errors that programs may need to distinguish.
  public enum Kind: Equatable, Sendable {
    /// The input does not exist or may not be read.
    case cannotRead
    /// The output could not be written.
    case cannotWrite
    /// A file with the output's name already exists, or is the input.
    case exists
    /// Another program is writing the file with the output's name.
    case busy
    /// The input can be read but is invalid.
    case badInput
    /// The input is valid, but the encoder, the format or a setting does not support it.
    case unsupported
    /// An effect cannot be created, because its description is invalid or a dependency is missing.
    case effects(EffectError.Kind)
    /// The system has no threads left.
    case noThread
    /// The end was requested: the task was canceled, or the reader of the output was closed.
    case interrupted
  }

  /// The kind of the error.
  public let kind: Kind
  /// The problem and the file, as a message.
  public let problem: String
  /// The recovery suggestion.
  public let recoverySuggestion: RecoverySuggestion
  /// The signal that requested the end; nil without one.
  package let signal: Int32?
  /// The system's error; nil without one.
  package internal(set) var systemError: SystemError?

  /// Creates an error without a signal.
  public init(_ kind: Kind, _ problem: String, suggestion: RecoverySuggestion = .none) {
    self.kind = kind
    self.problem = problem
    recoverySuggestion = suggestion
    signal = nil
  }

  /// Creates the error for an end requested by a signal.
  package init(signal: Int32, _ problem: String = "Interrupted.") {
    kind = .interrupted
    self.problem = problem
    recoverySuggestion = .none
    self.signal = signal
  }

  /// The message, so that printing the error is useful.
  public var description: String { message }

  /// The problem and the general recovery suggestion.
  public var message: String { message(advising: recoverySuggestion.description) }

  /// Returns the problem with the caller's recovery suggestion, which may be empty.
  package func message(advising suggestion: String) -> String {
    suggestion.isEmpty ? problem : problem + " " + suggestion
  }
}

extension AACFileError {
  /// The recovery suggestion of an error.
  ///
  /// Suggestions that depend on the caller's options have separate cases, so that a program can use
  /// its own terms; `description` has general texts.
  public enum RecoverySuggestion: Equatable, Sendable {
    /// No suggestion, because the problem includes it.
    case none
    /// A text that suits every program.
    case text(String)
    /// A remedy for an error of a recording's output.
    case recoveryAction(OutputError.RecoveryAction)
    /// Mix the channels to this number.
    case mixChannels(to: Int)
    /// Choose one of these channel counts.
    case chooseChannelCount([Int])
    /// Choose one of these sampling rates, in hertz.
    case chooseRate([Int])
    /// Choose a quality in this range.
    case chooseQuality(ClosedRange<Int>)
    /// Open fewer files at the same time.
    case openFewerFiles
    /// If the input is raw samples, specify their format.
    case giveFormatOfSamples
    /// Pass the input as a file rather than a pipe; the text is the reason, as the end of a
    /// sentence.
    case passAsFile(because: String)
    /// Specify the format of the samples, which the input lacks.
    case giveMissingFormat
    /// Convert the input to a readable format; the text explains the conversion.
    case makeReadable(String)
    /// Convert the input to a WAV file, possibly through a pipe.
    case convert
    /// Encode the file, which is possible.
    case encode
    /// Choose an AAC file, because only these can be inspected.
    case inspectAAC
    /// Choose an AAC file, because only these can be decoded.
    case decodeAAC
    /// Decode the file with another program.
    case decodeElsewhere
    /// Choose AAC files, because only these can be cut and joined.
    case spliceAAC
    /// Repair the file, which may restore missing parts.
    case repair
    /// Choose a file format for longer audio.
    case chooseLongFormat
  }
}

extension AACFileError.RecoverySuggestion {
  /// The suggestion in general terms; empty if the problem includes it.
  public var description: String {
    switch self {
    case .none: ""
    case .text(let text): text
    case .recoveryAction(let action): action.suggestion
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
    case .spliceAAC: "\(Self.readableStreams) can be cut and joined. Encode other audio first."
    case .repair: "Repair the file to recover its frames."
    case .chooseLongFormat: "Choose WAV or CAF."
    }
  }

  package static let readableSounds =
    "WAV, AIFF, CAF, FLAC, MP3, Ogg Vorbis, Opus, W64, AU and AAC"

  /// The kinds of sound files that can be encoded and are not AAC, for messages.
  package static let sourceSounds = "WAV, AIFF, CAF, FLAC, MP3, Ogg Vorbis, Opus, W64 and AU"

  /// The kinds of files that can be inspected and decoded, for messages.
  package static let readableStreams =
    "AAC in ADTS, LATM, ADIF, MP4 (M4A) and MPEG transport stream files"

  /// Returns numbers for a message: `8000, 11025`, or `1 or 2` with a word before the last.
  package static func list(_ numbers: [Int], _ word: String? = nil) -> String {
    let texts = numbers.map { "\($0)" }
    return word.map { listed(texts, $0) } ?? texts.joined(separator: ", ")
  }
}

extension AACFileError {
  /// Creates the error for audio that cannot be converted to a form for AAC.
  init(_ error: AudioConversion.Failure, name: String) {
    let file = "“\(displayed(name))” has "
    switch error {
    case .mix(let count, let newCount):
      self.init(
        .unsupported,
        file + "\(QuantityText.count(count, "channel")), which cannot be mixed to \(newCount).",
        suggestion: (1...2).contains(newCount)
          ? .text("Reduce them with another program first.") : .chooseChannelCount([1, 2]))
    case .channelCount(let count):
      self.init(
        .unsupported, file + "\(count) channels; AAC supports 1 to 6, or 8.",
        suggestion: ChannelLayout.standard(channelCount: count) == nil
          ? .text("Reduce them with another program first.") : .mixChannels(to: 2))
    case .layout(let count):
      self.init(
        .unsupported,
        file + "\(count) channels in a speaker layout that AAC does not support.",
        suggestion: .mixChannels(to: 2))
    case .rate(let rate, let newRate):
      self.init(
        .unsupported,
        file + "a sampling rate of \(rate) Hz, which cannot be converted to \(newRate) Hz.",
        suggestion: .text(
          "Rates from \(Resampler.supportedRates.lowerBound) to "
            + "\(Resampler.supportedRates.upperBound) Hz can be converted."))
    }
  }

  init(_ error: EncoderError, _ configuration: AACEncoder.Configuration, name: String) {
    let file = "Cannot encode “\(displayed(name))”: "
    let kind =
      (configuration.profile == .lowComplexity ? "" : configuration.profile.name + ", ")
      + QuantityText.frequency(configuration.sampleRate) + " and "
      + QuantityText.count(configuration.channelCount, "channel")
    switch error {
    case .unsupportedSampleRate(let rate):
      self.init(
        .unsupported, file + "AAC does not support a sampling rate of \(rate) Hz.",
        suggestion: .chooseRate(AACEncoder.Profile.lowComplexity.sampleRates))
    case .unsupportedReplicationRate(let rate):
      let profile = configuration.profile
      self.init(
        .unsupported, file + "\(profile.name) does not support a sampling rate of \(rate) Hz.",
        suggestion: .chooseRate(profile.sampleRates))
    case .unsupportedChannelCount(let count):
      self.init(
        .unsupported, file + "AAC supports 1 to 6 channels, or 8, not \(count).",
        suggestion: .mixChannels(to: 2))
    case .unsupportedStereoProfile(let count):
      self.init(
        .unsupported, file + "HE-AAC v2 is for 2 channels, not \(count).",
        suggestion: count == 1 ? .text("Choose HE-AAC for mono.") : .mixChannels(to: 2))
    case .bitrateOutOfRange(let requested, let lowest, let highest):
      self.init(
        .unsupported,
        file + "a bitrate of \(QuantityText.exactBitrate(requested)) is out of range.",
        suggestion: .text(
          "With \(kind), choose from \(QuantityText.bitrateRange(lowest, highest))."))
    case .signalingWithoutReplication:
      self.init(
        .unsupported, file + "AAC-LC has no band replication to signal.",
        suggestion: .text("Choose HE-AAC, or no signaling."))
    case .bandwidthOutOfRange(let requested, let highest):
      self.init(
        .unsupported, file + "a bandwidth of \(requested) Hz is out of range.",
        suggestion: .text("With \(kind), choose at most \(highest)."))
    case .levelOutOfRange(let level):
      self.init(
        .unsupported, file + "quality \(level) is out of range.", suggestion: .chooseQuality(1...5))
    case .noBitrateToChange:
      self.init(
        .unsupported, file + "at a constant quality there is no bitrate to change.",
        suggestion: .text("Choose a constant or an average bitrate."))
    }
  }

  package init(_ error: ContainerError, path: String) {
    self.init(
      .unsupported, "Cannot write “\(displayed(path))”: \(error.problem)",
      suggestion: error.recoveryAction.map { RecoverySuggestion.recoveryAction($0) }
        ?? RecoverySuggestion.none)
  }
}
