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
