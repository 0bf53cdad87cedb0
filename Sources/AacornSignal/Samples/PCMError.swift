/// The errors of this module.
@frozen
public enum PCMError: Error, Equatable, Sendable {
  /// A sample rate outside `Resampler.supportedRates`, in hertz.
  case unsupportedSampleRate(Int)
  /// A number of channels that cannot be handled.
  case unsupportedChannelCount(Int)
  /// No rule says how to mix `from` channels to `to` channels.
  case unsupportedMix(from: Int, to: Int)
}
