import AacornContainers
import AacornSoundFiles

extension CallError {
  init(_ error: ContainerError) {
    let message =
      switch error {
      case .frameTooLong(let count, let limit):
        "A unit of \(count) bytes is longer than the format allows (\(limit)): choose a lower "
          + "bitrate, or M4A."
      case .unsupportedSampleRate(let rate):
        "The format has no code for \(rate) Hz: choose another rate, or M4A."
      case .unsupportedChannelConfiguration: "The format cannot carry these channels."
      case .unsupportedObjectType, .unsupportedFrameLength:
        "The format cannot carry this kind of AAC: choose M4A."
      case .tooManyFrames(let limit):
        "There are more than \(limit) units: split the audio into parts."
      case .tagsTooLong(let count, let limit):
        "The tags have \(count) bytes, more than \(limit): choose shorter ones."
      case .unrecognizedCoverImage, .trimOutsideStream, .protectedRegionsMissing:
        "The writer has an internal error: please report this."
      }
    self.init(Status.container, message)
  }

  /// Creates the failure for an input that cannot be decoded.
  init(_ error: CodedAudioError) {
    switch error {
    case .decoder(let error): self.init(error)
    case .file(let error): self.init(error)
    }
  }

  private init(_ error: CodedFileError) {
    switch error {
    case .notAAC(.wav), .notAAC(.aiff), .notAAC(.caf):
      self.init(Status.notAAC, "The input is a file of samples, without AAC.")
    case .notAAC:
      self.init(Status.notAAC, "The input contains no recognizable AAC.")
    case .noAudioTrack(let count):
      self.init(
        Status.notAAC,
        count == 0
          ? "The input has no track with AAC."
          : "The number of AAC tracks in the input is \(count): choose one of them.")
    case .unsupportedCodec:
      self.init(Status.unsupported, "The input contains audio in another format, not AAC.")
    case .unfinished:
      self.init(
        Status.unfinished,
        "The file was not completed, or is cut off: the table of its frames is missing.")
    case .requiresSeeking:
      self.init(
        Status.moment,
        "The file has its tables after the audio: push all of it and finish before you pull.")
    case .encrypted: self.init(Status.unsupported, "The input is encrypted.")
    case .noAudio: self.init(Status.notAAC, "The input contains no audio.")
    case .invalidConfiguration: self = .withoutConfiguration
    case .pieceOfFragments(let isBeginning):
      self.init(
        Status.unfinished,
        isBeginning
          ? "The input is only an initialization segment: push the media segments as well."
          : "The input is a media segment: push the initialization segment of its stream first.")
    }
  }
}
