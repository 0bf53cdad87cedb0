public import AacornCodec

/// The reason why a buffer cannot be encoded, decoded or created.
public enum CodedBufferError: Error, Equatable, Sendable {
  /// The buffer has no usable samples.
  case samples(PCMBufferError)
  /// The sample rate or channels cannot be converted to the format of the stream.
  case conversion(AudioConversion.Failure)
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
  public var message: String {
    switch self {
    case .samples(let error): error.message
    case .conversion(let error): error.message
    case .noConfiguration:
      "The buffer has no magic cookie with a decoder configuration. "
        + "Add the stream's magic cookie to its format description."
    case .decoder(let error): error.message
    case .misplacedPackets(let byteCount):
      "The buffer's packets are not inside its \(byteCount) bytes. Correct its packet descriptions."
    case .system(let status):
      "The system could not create or provide a buffer (error \(status)). Try the next one."
    }
  }
}
