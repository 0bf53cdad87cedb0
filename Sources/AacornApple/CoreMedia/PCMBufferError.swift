import AacornSignal

/// The reason why the samples of an app's buffer cannot be read.
@frozen
public enum PCMBufferError: Error, Equatable, Sendable {
  /// The buffer has no format description, or its data is not ready.
  case notReady
  /// The samples are not PCM; these four characters identify the format.
  case notPCM(formatID: UInt32)
  /// The rate, in whole hertz, is invalid or too high.
  case unsupportedSampleRate(Int)
  /// The number of channels is not supported.
  case unsupportedChannelCount(Int)
  /// The samples are of an unknown kind, or their size does not match the size of the frames.
  case unsupportedSample(bits: Int, bytesPerFrame: Int)
  /// The buffer has `found` areas of memory, but the format requires `needed`.
  case wrongBufferCount(found: Int, needed: Int)
  /// An area of memory has `found` bytes, but its frames require `needed`.
  case missingBytes(found: Int, needed: Int)
  /// A system call failed with this status.
  case system(Int32)
}

extension PCMBufferError {
  /// A description of the error for the user, with a recovery suggestion.
  public var message: String {
    switch self {
    case .notReady:
      "The buffer has no format or no data yet. Use it when it is ready."
    case .notPCM(let formatID):
      "The buffer contains coded audio (\(Self.characters(formatID))), not samples. Decode it first."
    case .unsupportedSampleRate(let rate):
      "The buffer's rate of \(rate) Hz is out of range. Use 1 Hz to 1 MHz."
    case .unsupportedChannelCount(let count):
      "A buffer of \(count) channels is not supported. Use 1 to \(SampleLimits.maxChannelCount)."
    case .unsupportedSample(let bits, let bytesPerFrame):
      "Samples of \(bits) bits in frames of \(bytesPerFrame) bytes are not supported. "
        + "Use whole bytes, or floating point of 32 or 64 bits."
    case .wrongBufferCount(let found, let needed):
      "The buffer has \(found) memory areas, but its format requires \(needed). "
        + "Correct its format description."
    case .missingBytes(let found, let needed):
      "The buffer has \(found) bytes, but its frames require \(needed). "
        + "Set the number of valid frames."
    case .system(let status):
      "The system did not provide the buffer's memory (error \(status)). Try the next buffer."
    }
  }

  /// Returns the four characters of a number, with question marks for unprintable ones.
  private static func characters(_ code: UInt32) -> String {
    let bytes = [24, 16, 8, 0].map { (shift: UInt32) -> UInt8 in
      let byte = UInt8(truncatingIfNeeded: code >> shift)
      return byte >= 32 && byte < 127 ? byte : 63
    }
    return String(decoding: bytes, as: UTF8.self)
  }
}
