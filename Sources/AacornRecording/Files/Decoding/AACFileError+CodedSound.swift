import AacornCodec
import AacornContainers
import AacornSystem

extension AACFileError {
  /// Why the sound of a file with AAC cannot be had.
  init(_ error: CodedSoundError, path: String) {
    switch error {
    case .file(let error): self.init(error, path: path)
    case .decoder(let error): self.init(error, path: path)
    }
  }

  private init(_ error: CodedFileError, path: String) {
    let file = "“\(displayed(path))”"
    switch error {
    case .notAAC(let kind):
      let found = kind.map { " (\(displayed($0)))" } ?? ""
      self.init(.unsupported, "\(file) contains no AAC that could be found\(found).", .decodeAAC)
    case .noAudioTrack:
      self.init(.badInput, "\(file) has no track with AAC.", .decodeAAC)
    case .unsupportedCodec(let codec):
      self.init(
        .unsupported, "\(file) contains sound of another kind (\(displayed(codec))).", .decodeAAC)
    case .requiresSeeking:
      self.init(
        .unsupported,
        "\(file) has its tables behind the sound, so it cannot be read from a pipe.",
        .words("Pass it as a file."))
    case .encrypted:
      self.init(
        .unsupported, "\(file) is encrypted.", .words("Only those who have its key can read it."))
    }
  }

  private init(_ error: DecoderError, path: String) {
    let file = "“\(displayed(path))”"
    switch error {
    case .unsupportedObjectType(let type):
      self.init(
        .unsupported, "\(file) contains AAC of a kind that is not decoded (type \(type.rawValue)).")
    case .unsupportedChannels(let number):
      self.init(
        .unsupported, "\(file) has channels that are not decoded (configuration \(number)).")
    case .invalidConfiguration:
      self.init(
        .badInput, "\(file) does not say in a valid way how it is coded.",
        .words("Check where it comes from."))
    }
  }
}
