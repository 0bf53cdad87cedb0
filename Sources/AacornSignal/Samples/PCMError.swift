/// The errors of this module.
@frozen
public enum PCMError: Error, Equatable, Sendable {
  /// A sample rate outside `Resampler.supportedRates`, in hertz.
  case unsupportedSampleRate(Int)
  /// The number of channels is not supported.
  case unsupportedChannelCount(Int)
  /// There is no rule for mixing `from` channels to `to` channels.
  case unsupportedMix(from: Int, to: Int)
}

extension PCMError: CustomStringConvertible {
  /// The rejected format and the accepted values, as a message for the user.
  public var message: String {
    switch self {
    case .unsupportedSampleRate(let rate):
      "A sampling rate of \(rate) Hz cannot be converted. "
        + "Choose from \(Resampler.supportedRates.lowerBound) to "
        + "\(Resampler.supportedRates.upperBound)."
    case .unsupportedChannelCount(let count):
      "\(count) channels are not supported. Choose another number of channels."
    case .unsupportedMix(let from, let to):
      "\(from) channels cannot be mixed to \(to). Choose 1 or 2 channels, or map the channels."
    }
  }

  /// The message, so that printing the error is useful.
  public var description: String { message }
}
