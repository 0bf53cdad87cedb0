/// The reason why a stream cannot be decoded.
public enum DecoderError: Error, Equatable, Sendable {
  /// The object type is not AAC LC, Main or LTP.
  case unsupportedObjectType(AudioObjectType)
  /// The channel configuration with this number is undefined or not supported.
  case unsupportedChannels(Int)
  /// The sampling rate or the frame length is invalid.
  case invalidConfiguration
}

extension DecoderError: CustomStringConvertible {
  /// The property of the stream that is not supported, as a message for the user.
  public var message: String {
    switch self {
    case .unsupportedObjectType(let type):
      "The stream is \(type.description), which is not supported. Use AAC-LC, HE-AAC or HE-AAC v2."
    case .unsupportedChannels(let number):
      "The stream has an unsupported channel configuration (\(number)). Use 1 to 6 channels, or 8."
    case .invalidConfiguration:
      "The stream has no valid decoder configuration. Check the program that created it."
    }
  }

  /// The message, so that printing the error is useful.
  public var description: String { message }
}
