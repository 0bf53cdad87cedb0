/// Why there is no decoder for a stream.
public enum DecoderError: Error, Equatable, Sendable {
  /// The object type is not AAC LC, Main or LTP.
  case unsupportedObjectType(AudioObjectType)
  /// The channel configuration with this number has no meaning here.
  case unsupportedChannels(Int)
  /// Rate or frame length are impossible.
  case invalidConfiguration
}
