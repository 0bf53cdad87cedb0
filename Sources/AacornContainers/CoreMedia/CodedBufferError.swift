public import AacornCodec
public import AacornSignal

/// Why a buffer cannot be encoded, decoded or made.
public enum CodedBufferError: Error, Equatable, Sendable {
  /// There are no samples to take.
  case samples(PCMBufferError)
  /// Their rate or channels cannot be brought to those of the stream.
  case conversion(SoundConversion.Failure)
  /// The buffer does not say how its stream is to be decoded.
  case noConfiguration
  /// There is no decoder for its stream.
  case decoder(DecoderError)
  /// The packets are not where the buffer says, or hold too few bytes.
  case misplacedPackets(byteCount: Int)
  /// The system refused with this number.
  case system(Int32)
}

extension CodedBufferError {
  /// What is wrong, and what to do, for people.
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
