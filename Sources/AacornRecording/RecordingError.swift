public import AacornCodec
public import AacornDevices

/// Why a recording cannot begin, or ended before its time.
public enum RecordingError: Error, Equatable, Sendable {
  /// The sound cannot be captured.
  case capture(CaptureError)
  /// The encoder does not take the configuration.
  case encoder(EncoderError)
  /// The device's sound cannot be brought to the rate or channels that were asked for.
  case unsupportedConversion(String)
  /// The channel map names a channel that the device has not.
  case noSuchChannel(Int, deviceHas: Int)
  /// An output failed.
  case output(OutputError)
  /// All outputs failed, the last one so.
  case allOutputsFailed(OutputError)
  /// The system has no more threads.
  case noThread
  /// The recorder has been started before; a recorder makes one recording.
  case alreadyStarted
  /// It was stopped before its device was open.
  case stopped
}

/// Why an output could not go on.
public struct OutputError: Error, Equatable, Sendable {
  /// The kinds that programs may want to tell apart.
  public enum Kind: String, Sendable {
    /// There is a file of that name.
    case exists
    /// Another program writes the file of that name.
    case busy
    /// What was written is gone: removed, replaced or cut short by somebody else.
    case lost
    /// The disk is full.
    case diskFull = "disk-full"
    /// It could not be opened or written for another reason.
    case cannotWrite = "cannot-write"
    /// Whoever reads the other end went away.
    case readerGone = "reader-gone"
    /// It could not keep up with the sound.
    case tooSlow = "too-slow"
    /// The format cannot hold this sound.
    case unsupported
    /// A server cannot be reached, or does not take the sound.
    case connection
  }

  /// The kind.
  public var kind: Kind
  /// What happened, to which file, and what to do.
  public var sentence: String

  /// An error of a kind, in words.
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
  /// The sentence, so that a program which prints the error says something of use.
  public var description: String { sentence }
}

extension OutputError: CustomStringConvertible {
  /// The sentence, so that a program which prints the error says something of use.
  public var description: String { sentence }
}
