public import AacornApple
public import AacornCodec
public import AacornDevices

/// The reason why a recording cannot begin, or ended prematurely.
public enum RecordingError: Error, CustomStringConvertible, Equatable, Sendable {
  /// The audio cannot be captured, or was recorded from a damaged file.
  case capture(DeviceError)
  /// The encoder rejects the configuration.
  case encoder(EncoderError)
  /// The system's encoder cannot be used, or failed.
  case backEnd(AACBackEndError)
  /// The device's audio cannot be converted to the rate and the channels of the recording.
  case unsupportedConversion(
    sampleRate: Int, channelCount: Int, toSampleRate: Int, toChannelCount: Int)
  /// A recording combines AAC and samples.
  case mixedCodings
  /// The channel map names a channel that the device does not have.
  case noSuchChannel(Int, deviceHas: Int)
  /// An output failed.
  case output(OutputError)
  /// All outputs failed, the last one with this error.
  case allOutputsFailed(OutputError)
  /// The system has no threads left.
  case noThread
  /// The recorder was started before; a recorder makes only one recording.
  case alreadyStarted
  /// The recording was stopped before its device was open.
  case stopped
  /// The tracks cannot be recorded together.
  case tracks(TrackError)
  /// An effect cannot be created.
  case effects(EffectError)

  /// Whether the whole input was recorded, but from a damaged file.
  package var isInputDamage: Bool {
    if case .capture(let error) = self { error.isDamage } else { false }
  }

  /// The message, so that printing the error is useful.
  public var description: String { message }

  /// The problem and the recovery suggestion, as a message.
  public var message: String { message(recoverySuggestion) }

  /// Returns the problem with the caller's recovery suggestion.
  package func message(_ recoverySuggestion: String?) -> String {
    recoverySuggestion.map { "\(problem) \($0)" } ?? problem
  }

  private var problem: String {
    switch self {
    // These messages include a recovery suggestion.
    case .capture(let error): error.message
    case .output(let error), .allOutputsFailed(let error): error.message
    case .backEnd(let error): error.message
    case .encoder(let error): error.message
    case .unsupportedConversion(let sampleRate, let channelCount, let ownRate, let ownCount):
      "The device has \(sampleRate) Hz and \(channelCount) channels, which cannot be converted to "
        + "\(ownRate) Hz and \(ownCount)."
    case .mixedCodings:
      "A recording cannot be AAC and uncompressed samples at the same time."
    case .noSuchChannel(let channel, let count):
      "The device has no channel \(channel < .max ? channel + 1 : channel); it has \(count)."
    case .noThread: "The system has no threads left."
    case .alreadyStarted: "A recorder can make only one recording."
    case .stopped: "The recording was stopped before its device was open."
    case .tracks(let error): error.message
    case .effects(let error): error.message
    }
  }

  /// The recovery suggestion, if it is the same in every program.
  private var recoverySuggestion: String? {
    switch self {
    case .unsupportedConversion: "Choose another sampling rate, or another number of channels."
    case .mixedCodings: "Choose one of them."
    case .noSuchChannel: "Choose other channels."
    case .noThread: "Close other programs."
    case .alreadyStarted: "Create another recorder for the next one."
    case .capture, .encoder, .backEnd, .output, .allOutputsFailed, .stopped, .tracks, .effects: nil
    }
  }
}
