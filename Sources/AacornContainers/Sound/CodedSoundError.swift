public import AacornCodec

/// Why a file cannot be turned into sound.
public enum CodedSoundError: Error, Equatable, Sendable {
  /// There are no coded frames that could be read.
  case file(CodedFileError)
  /// The frames are coded in a way that is not decoded.
  case decoder(DecoderError)
}
