public import AacornCodec
public import AacornSignal

/// The reason why a buffer cannot be encoded, decoded or created.
public enum CodedBufferError: Error, Equatable, Sendable {
  /// The buffer has no usable samples.
  case samples(PCMBufferError)
  /// The sample rate or channels cannot be converted to the format of the stream.
  case conversion(SoundConversion.Failure)
  /// The buffer has no decoder configuration.
  case noConfiguration
  /// The stream of the buffer is not supported by the decoder.
  case decoder(DecoderError)
  /// The packets are outside the data, or the data is too short.
  case misplacedPackets(byteCount: Int)
  /// A system call failed with this status.
  case system(Int32)
}

extension CodedBufferError {
  /// A message for the user: the error and a remedy.
  public var sentence: String {
    switch self {
    case .samples(let error): error.sentence
    case .conversion:
      "The buffer's rate or channels cannot be brought to those of the stream. "
        + "Make an encoder for the buffer's own."
    case .noConfiguration:
      "The buffer has no magic cookie that says how to decode it. "
        + "Give its format description the one of the stream."
    case .decoder:
      "The buffer's stream is of a kind that cannot be decoded. Use AAC-LC, HE-AAC or HE-AAC v2."
    case .misplacedPackets(let byteCount):
      "The buffer's packets are not inside its \(byteCount) bytes. Say where each begins and ends."
    case .system(let status):
      "The system did not make or hand out a buffer (error \(status)). Try the next one."
    }
  }
}
