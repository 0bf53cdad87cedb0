package import AacornContainers

extension ContainerError {
  /// The limit that was exceeded, as the text after a colon.
  ///
  /// If `recoveryAction` is nil, the text includes the remedy.
  package var problem: String {
    switch self {
    case .frameTooLong(let count, let limit):
      "a frame of \(count) bytes is longer than the format allows (\(limit))."
    case .unsupportedSampleRate(let rate): "the format has no code for \(rate) Hz."
    case .unsupportedChannelConfiguration: "the format cannot carry these channels."
    case .unsupportedObjectType, .unsupportedFrameLength:
      "the format cannot carry this kind of AAC."
    case .tooManyFrames(let limit):
      "there are more than \(limit) frames. Split the audio into parts."
    case .tagsTooLong(let count, let limit):
      "the tags have \(count) bytes, more than \(limit). Choose a smaller cover."
    case .unrecognizedCoverImage:
      "the cover is neither JPEG nor PNG. Choose another picture."
    case .trimOutsideStream, .protectedRegionsMissing:
      "the encoder has an internal error. Please report this."
    }
  }

  /// The remedy, if a program can offer one.
  package var recoveryAction: OutputError.RecoveryAction? {
    switch self {
    case .frameTooLong: .lowerBitrateOrM4A
    case .unsupportedSampleRate: .otherRateOrM4A
    case .unsupportedChannelConfiguration: .twoChannels
    case .unsupportedObjectType, .unsupportedFrameLength: .m4a
    case .tooManyFrames, .tagsTooLong, .unrecognizedCoverImage, .trimOutsideStream,
      .protectedRegionsMissing:
      nil
    }
  }
}
