/// What can be wrong with a request to this module.
@frozen
public enum PCMError: Error, Equatable, Sendable {
  /// A sample rate outside `Resampler.supportedRates`, in hertz.
  case unsupportedSampleRate(Int)
  /// A number of channels that cannot be handled.
  case unsupportedChannelCount(Int)
  /// No rule says how to make this many channels out of that many.
  case unsupportedMix(from: Int, to: Int)
}
