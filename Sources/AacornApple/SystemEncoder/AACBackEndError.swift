/// The reason why the system's encoder fails.
public enum AACBackEndError: Error, Equatable, Sendable {
  /// The system has no usable encoder.
  case noSystemEncoder
  /// The encoder does not support this kind of AAC, at this rate, or on the requested processor.
  case unsupportedFormat
  /// The encoder does not support this number of channels.
  case unsupportedChannelCount(Int)
  /// The encoder does not support this sampling rate in hertz.
  case unsupportedSampleRate(Int)
  /// The bitrate is outside the encoder's range for the rate and the channels.
  case bitrateOutOfRange(requested: Int, lowest: Int, highest: Int)
  /// The quality level is not 1…5.
  case levelOutOfRange(Int)
  /// Another process uses the hardware encoder.
  case hardwareInUse
  /// The app may not use the hardware encoder, for example in the background.
  case noHardwarePermission
  /// The encoder returns no decoder configuration, or an unknown one.
  case noConfiguration
  /// The encoder made a stream with another rate or number of channels than requested.
  case unexpectedStream(sampleRate: Int, channelCount: Int)
  /// A system call failed with this status.
  case call(Call, status: Int32)

  /// The call that failed.
  public enum Call: Equatable, Sendable {
    /// Creating an encoder.
    case create
    /// Setting a property of the encoder.
    case configure
    /// Reading a property of the encoder.
    case describe
    /// Encoding samples.
    case encode
  }
}

extension AACBackEndError {
  /// A description of the error for the user, with a recovery suggestion.
  public var message: String {
    switch self {
    case .noSystemEncoder:
      "The system has no usable AAC encoder. Choose Aacorn's encoder."
    case .unsupportedFormat:
      "The system's encoder does not support this kind of AAC at this rate, or not in hardware. "
        + "Choose another profile, another sampling rate, software, or Aacorn's encoder."
    case .unsupportedChannelCount(let count):
      "The system's encoder cannot be used for \(count) channels with this profile. "
        + "Choose 2 channels, AAC-LC, or Aacorn's encoder."
    case .unsupportedSampleRate(let rate):
      "The system's encoder does not support \(rate) Hz. Choose a rate of 44100 or 48000 Hz."
    case .bitrateOutOfRange(let requested, let lowest, let highest):
      "The system's encoder does not support \(requested) bits per second; "
        + "choose from \(lowest) to \(highest)."
    case .levelOutOfRange(let level): "Quality \(level) is out of range; choose 1 to 5."
    case .hardwareInUse:
      "Another app uses the system's hardware encoder. Choose software, or Aacorn's encoder."
    case .noHardwarePermission:
      "The system does not let this app use its hardware encoder now. "
        + "Choose software, or Aacorn's encoder."
    case .noConfiguration:
      "The system's encoder provides no decoder configuration. Choose Aacorn's encoder."
    case .unexpectedStream(let rate, let count):
      "The system's encoder created a stream of \(rate) Hz and \(count) channels instead of the "
        + "requested one. Choose another bitrate, or Aacorn's encoder."
    case .call(let call, let status):
      "The system's encoder could not \(call.text) (error \(status)). Choose Aacorn's encoder."
    }
  }
}

extension AACBackEndError.Call {
  /// The action that failed, as it follows “could not” in a message.
  fileprivate var text: String {
    switch self {
    case .create: "be created"
    case .configure: "be set up"
    case .describe: "report its format"
    case .encode: "encode the audio"
    }
  }
}
