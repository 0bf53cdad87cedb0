public import AacornCodec

/// The reason why a file cannot be decoded to samples.
public enum CodedAudioError: Error, Equatable, Sendable {
  /// The file has no readable coded frames.
  case file(CodedFileError)
  /// The frames use a coding that the decoder does not support.
  case decoder(DecoderError)
}
