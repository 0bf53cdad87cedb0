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
