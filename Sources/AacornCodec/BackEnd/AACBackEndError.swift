/// Why the system's encoder does not do what is asked of it.
public enum AACBackEndError: Error, Equatable, Sendable {
  /// This system has none that can be used.
  case noSystemEncoder
  /// It does not make this kind of AAC, or not at this rate, or not where it was to run.
  case unsupportedFormat
  /// It does not take this number of channels.
  case unsupportedChannelCount(Int)
  /// It does not have this sampling rate in hertz.
  case unsupportedSampleRate(Int)
  /// The bitrate is outside of what it has for the rate and the channels.
  case bitrateOutOfRange(requested: Int, lowest: Int, highest: Int)
  /// The quality level is not 1…5.
  case levelOutOfRange(Int)
  /// Something else has the hardware.
  case hardwareInUse
  /// The app may not use the hardware, as it may not in the background.
  case noHardwarePermission
  /// It does not say how its stream is to be decoded, or says something that is not known.
  case noConfiguration
  /// It has made another stream than the one that was asked for.
  case unexpectedStream(sampleRate: Int, channelCount: Int)
  /// A call failed with this number.
  case call(Call, status: Int32)

  /// What the system was asked to do.
  public enum Call: Equatable, Sendable {
    /// To make an encoder.
    case create
    /// To encode in a certain way.
    case configure
    /// To tell how it encodes.
    case describe
    /// To encode samples.
    case encode
  }
}

extension AACBackEndError {
  /// What is wrong, and what to do, for people.
  public var sentence: String {
    switch self {
    case .noSystemEncoder:
      "This system has no AAC encoder of its own that can be used. Choose Aacorn's."
    case .unsupportedFormat:
      "The system's encoder does not make this kind of AAC at this rate, or not in hardware. "
        + "Choose another profile, another sampling rate, software, or Aacorn's encoder."
    case .unsupportedChannelCount(let count):
      "The system's encoder cannot be used for \(count) channels with this profile. "
        + "Choose 2 channels, AAC-LC, or Aacorn's encoder."
    case .unsupportedSampleRate(let rate):
      "The system's encoder does not have a sampling rate of \(rate) Hz. Choose 44100 or 48000."
    case .bitrateOutOfRange(let requested, let lowest, let highest):
      "The system's encoder does not have \(requested) bits per second; "
        + "choose from \(lowest) to \(highest)."
    case .levelOutOfRange(let level): "There is no quality \(level); choose 1 to 5."
    case .hardwareInUse:
      "Something else uses the system's hardware encoder. Choose software, or Aacorn's encoder."
    case .noHardwarePermission:
      "The system does not let this app use its hardware encoder now. "
        + "Choose software, or Aacorn's encoder."
    case .noConfiguration:
      "The system's encoder does not say how its stream is to be decoded. Choose Aacorn's encoder."
    case .unexpectedStream(let rate, let count):
      "The system's encoder has made a stream of \(rate) Hz and \(count) channels instead of the one "
        + "that was asked for. Choose another bitrate, or Aacorn's encoder."
    case .call(let call, let status):
      "The system's encoder could not \(call.words) (error \(status)). Choose Aacorn's encoder."
    }
  }
}

extension AACBackEndError.Call {
  /// The call as the end of “could not …”.
  fileprivate var words: String {
    switch self {
    case .create: "be made"
    case .configure: "be set up"
    case .describe: "be asked for its format"
    case .encode: "encode the sound"
    }
  }
}
