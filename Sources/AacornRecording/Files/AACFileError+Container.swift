import AacornContainers
import AacornSystem

extension AACFileError {
  /// Why a container cannot be written.
  init(_ error: ContainerError, path: String) {
    let (reason, advice) = Self.explanation(of: error)
    self.init(.unsupported, "Cannot write “\(displayed(path))”: \(reason).", advice)
  }

  private static func explanation(of error: ContainerError) -> (reason: String, advice: Advice) {
    switch error {
    case .frameTooLong(let count, let limit):
      (
        "a frame of \(count) bytes is longer than the format allows (\(limit))",
        .chooseLowerBitrateOrM4A
      )
    case .unsupportedSampleRate(let rate):
      ("the format has no code for \(rate) Hz", .chooseRateOrM4A)
    case .unsupportedChannelConfiguration:
      ("the format cannot carry these channels", .chooseChannelCount([2]))
    case .unsupportedObjectType, .unsupportedFrameLength:
      ("the format cannot carry this kind of AAC", .chooseM4A)
    case .tooManyFrames(let limit):
      ("there are more than \(limit) frames", .words("Split the sound into parts."))
    case .tagsTooLong(let count, let limit):
      (
        "the tags have \(count) bytes, more than \(limit)", .words("Choose a smaller cover.")
      )
    case .unrecognizedCoverImage:
      ("the cover is neither JPEG nor PNG", .words("Choose another picture."))
    case .trimOutsideStream, .protectedRegionsMissing:
      ("the encoder has an internal error", .words("Please report this."))
    }
  }
}
