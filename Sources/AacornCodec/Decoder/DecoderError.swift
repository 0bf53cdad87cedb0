/// The reason why a stream cannot be decoded.
public enum DecoderError: Error, Equatable, Sendable {
  /// The object type is not AAC LC, Main or LTP.
  case unsupportedObjectType(AudioObjectType)
  /// The channel configuration with this number is undefined or not supported.
  case unsupportedChannels(Int)
  /// The sampling rate or the frame length is invalid.
  case invalidConfiguration
}
