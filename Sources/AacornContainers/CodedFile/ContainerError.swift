/// The reason why a container cannot be written.
public enum ContainerError: Error, Equatable, Sendable {
  /// A frame is longer than the container's length field allows.
  case frameTooLong(byteCount: Int, limit: Int)
  /// The container has no code for this sampling rate, in hertz.
  case unsupportedSampleRate(Int)
  /// The container cannot carry this channel configuration, or its layout is missing or too large.
  case unsupportedChannelConfiguration(Int)
  /// The container cannot carry this audio object type.
  case unsupportedObjectType(Int)
  /// There are more frames than the container's tables can list.
  case tooManyFrames(limit: Int)
  /// The tags exceed the size limit of a file.
  case tagsTooLong(byteCount: Int, limit: Int)
  /// The cover image is neither JPEG nor PNG.
  case unrecognizedCoverImage
  /// The trim covers more samples than were written, or differs from the announced priming.
  case trimOutsideStream(priming: Int, sampleCount: Int)
  /// The container has no code for this number of samples per frame.
  case unsupportedFrameLength(Int)
  /// A checksum was requested, but the unit does not specify the bits that it covers.
  case protectedRegionsMissing
}

extension ContainerError: CustomStringConvertible {
  /// The exceeded limit and the remedy, as a message for the user.
  public var message: String {
    switch self {
    case .frameTooLong(let count, let limit):
      "A frame of \(count) bytes is longer than the format allows (\(limit)). Choose a lower "
        + "bitrate, or M4A."
    case .unsupportedSampleRate(let rate):
      "The format has no code for \(rate) Hz. Choose another rate, or M4A."
    case .unsupportedChannelConfiguration:
      "The format cannot carry these channels. Choose 2 channels."
    case .unsupportedObjectType, .unsupportedFrameLength:
      "The format cannot carry this kind of AAC. Choose M4A."
    case .tooManyFrames(let limit):
      "There are more than \(limit) frames. Split the audio into parts."
    case .tagsTooLong(let count, let limit):
      "The tags have \(count) bytes, more than \(limit). Choose a smaller cover."
    case .unrecognizedCoverImage: "The cover is neither JPEG nor PNG. Choose another picture."
    case .trimOutsideStream(let priming, let count):
      "A trim with a priming of \(priming) samples does not match the \(count) samples of the file. "
        + "Correct the trim."
    case .protectedRegionsMissing:
      "A checksum needs the protected regions of each unit. Pass them, or write no checksum."
    }
  }

  /// The message, so that printing the error is useful.
  public var description: String { message }
}
