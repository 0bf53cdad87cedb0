/// The reason why an encoder could not be created, or why its bitrate could not be changed.
public enum EncoderError: Error, Equatable {
  /// AAC has no index for this rate in hertz.
  case unsupportedSampleRate(Int)
  /// HE-AAC does not support this rate in hertz, which AAC-LC may support.
  case unsupportedReplicationRate(Int)
  /// AAC has no fixed layout with this many channels.
  case unsupportedChannelCount(Int)
  /// HE-AAC v2 requires two channels.
  case unsupportedStereoProfile(channelCount: Int)
  /// The bitrate is outside the limits for this rate and number of channels.
  case bitrateOutOfRange(requested: Int, lowest: Int, highest: Int)
  /// AAC-LC has no band replication that could be signaled.
  case signalingWithoutReplication
  /// The bandwidth is not positive, or exceeds half the sampling rate.
  case bandwidthOutOfRange(requested: Int, highest: Int)
  /// The quality level is not 1…5.
  case levelOutOfRange(Int)
  /// At a constant quality there is no bitrate to change.
  case noBitrateToChange
}

extension EncoderError: CustomStringConvertible {
  /// The rejected setting and the accepted values, as a message for the user.
  public var message: String {
    switch self {
    case .unsupportedSampleRate(let rate):
      "AAC does not support a sampling rate of \(rate) Hz. Choose 44100 or 48000."
    case .unsupportedReplicationRate(let rate):
      "HE-AAC does not support a sampling rate of \(rate) Hz. Choose 44100 or 48000, or AAC-LC."
    case .unsupportedChannelCount(let count):
      "AAC supports 1 to 6 channels, or 8, not \(count)."
    case .unsupportedStereoProfile(1):
      "HE-AAC v2 is for 2 channels, not 1. Choose HE-AAC for mono."
    case .unsupportedStereoProfile(let count):
      "HE-AAC v2 is for 2 channels, not \(count). Choose 2 channels, or HE-AAC."
    case .bitrateOutOfRange(let requested, let lowest, let highest):
      "A bitrate of \(Self.kilobits(requested)) kb/s is out of range; "
        + "choose from \(Self.kilobits(lowest)) to \(Self.kilobits(highest))."
    case .signalingWithoutReplication:
      "AAC-LC has no band replication to signal. Choose HE-AAC, or no signaling."
    case .bandwidthOutOfRange(let requested, let highest):
      "A bandwidth of \(requested) Hz is out of range; choose at most \(highest)."
    case .levelOutOfRange(let level):
      "Quality \(level) is out of range; choose 1 to 5."
    case .noBitrateToChange:
      "At a constant quality there is no bitrate to change. Choose a constant or an average bitrate."
    }
  }

  /// The message, so that printing the error is useful.
  public var description: String { message }

  /// Formats a bitrate in kb/s without rounding, such as `18.75`.
  private static func kilobits(_ bitsPerSecond: Int) -> String {
    var (whole, rest) = bitsPerSecond.magnitude.quotientAndRemainder(dividingBy: 1000)
    var text = (bitsPerSecond < 0 ? "-" : "") + "\(whole)" + (rest > 0 ? "." : "")
    var unit: UInt = 100
    while rest > 0 {
      (whole, rest) = rest.quotientAndRemainder(dividingBy: unit)
      text += "\(whole)"
      unit /= 10
    }
    return text
  }
}
