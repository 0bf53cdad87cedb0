public import AacornCodec
public import AacornDevices

/// Why a recording cannot begin, or ended prematurely.
public enum RecordingError: Error, Equatable, Sendable {
  /// The audio cannot be captured.
  case capture(CaptureError)
  /// The encoder rejects the configuration.
  case encoder(EncoderError)
  /// The device's audio cannot be converted to the requested rate or channels.
  case unsupportedConversion(String)
  /// The channel map names a channel that the device does not have.
  case noSuchChannel(Int, deviceHas: Int)
  /// An output failed.
  case output(OutputError)
  /// All outputs failed, the last one with this error.
  case allOutputsFailed(OutputError)
  /// The system has no threads left.
  case noThread
  /// The recorder has been started before; a recorder makes one recording.
  case alreadyStarted
  /// It was stopped before its device was open.
  case stopped
}

/// Why an output could not continue.
public struct OutputError: Error, Equatable, Sendable {
  /// The kinds that programs may want to distinguish.
  public enum Kind: String, Sendable {
    /// A file with that name exists.
    case exists
    /// Another program is writing the file with that name.
    case busy
    /// What was written is gone: removed, replaced or truncated by somebody else.
    case lost
    /// The disk is full.
    case diskFull = "disk-full"
    /// It could not be opened or written for another reason.
    case cannotWrite = "cannot-write"
    /// The reader at the other end went away.
    case readerGone = "reader-gone"
    /// It could not keep up with the audio.
    case tooSlow = "too-slow"
    /// The format cannot hold this audio.
    case unsupported
    /// A server cannot be reached, or does not accept the audio.
    case connection
  }

  /// The kind.
  public var kind: Kind
  /// What happened, to which file, and what to do.
  public var sentence: String

  /// Creates an error.
  public init(_ kind: Kind, _ sentence: String) {
    self.kind = kind
    self.sentence = sentence
  }
}

extension RecordingError {
  /// What happened and what to do, in sentences.
  public var sentence: String {
    switch self {
    case .capture(let error): error.sentence
    case .encoder(let error): Self.sentence(error)
    case .unsupportedConversion(let reason): reason
    case .noSuchChannel(let channel, let count):
      "The device has no channel \(channel + 1); it has \(count). Choose others."
    case .output(let error), .allOutputsFailed(let error): error.sentence
    case .noThread: "The system has no threads left. Close other programs."
    case .alreadyStarted: "A recorder makes one recording. Make another recorder for the next."
    case .stopped: "The recording was stopped before its device was open."
    }
  }

  private static func sentence(_ error: EncoderError) -> String {
    switch error {
    case .unsupportedSampleRate(let rate):
      "AAC has no sampling rate of \(rate) Hz. Choose 44100 or 48000."
    case .unsupportedChannelCount(let count):
      "AAC takes 1 to 6 channels, or 8, not \(count)."
    case .bitrateOutOfRange(let requested, let lowest, let highest):
      "\(requested) bits a second are out of range; choose from \(lowest) to \(highest)."
    case .bandwidthOutOfRange(let requested, let highest):
      "A bandwidth of \(requested) Hz is out of range; choose at most \(highest)."
    case .levelOutOfRange(let level):
      "There is no quality \(level); choose 1 to 5."
    }
  }
}

extension RecordingError: CustomStringConvertible {
  /// The sentence, so that printing the error shows something useful.
  public var description: String { sentence }
}

extension OutputError: CustomStringConvertible {
  /// The sentence, so that printing the error shows something useful.
  public var description: String { sentence }
}
