package import AacornContainers

extension ContainerError {
  /// What the format cannot hold and what to do, worded to follow a colon.
  package var reason: String {
    switch self {
    case .frameTooLong(let count, let limit):
      "a frame of \(count) bytes is longer than the format allows (\(limit)). "
        + "Choose a lower bitrate, or --format m4a."
    case .unsupportedSampleRate(let rate):
      "the format has no code for \(rate) Hz. Choose another --rate, or --format m4a."
    case .unsupportedChannelConfiguration:
      "the format cannot carry these channels. Choose --channels 2."
    case .unsupportedObjectType, .unsupportedFrameLength:
      "the format cannot carry this kind of AAC. Choose --format m4a."
    case .tooManyFrames(let limit):
      "there are more than \(limit) frames. Cut the sound into parts."
    case .tagsTooLong(let count, let limit):
      "the tags have \(count) bytes, more than \(limit). Choose a smaller cover."
    case .unrecognizedCoverImage:
      "the cover is neither JPEG nor PNG. Choose another picture."
    case .trimOutsideStream, .protectedRegionsMissing:
      "the encoder contradicts itself. Please report this."
    }
  }
}
