/// Why the samples of an app's buffer cannot be taken.
@frozen
public enum PCMBufferError: Error, Equatable, Sendable {
  /// The buffer does not say what is in it, or its data has yet to come.
  case notReady
  /// There are no samples in it but what these four characters stand for.
  case notPCM(formatID: UInt32)
  /// A rate that is none, or is too high, in whole hertz.
  case unsupportedSampleRate(Int)
  /// A number of channels that cannot be handled.
  case unsupportedChannelCount(Int)
  /// Numbers of so many bits cannot lie in frames of so many bytes, or are of no known kind.
  case unsupportedSample(bits: Int, bytesPerFrame: Int)
  /// There are `found` areas of memory where the format has `needed`.
  case wrongBufferCount(found: Int, needed: Int)
  /// An area of memory has `found` bytes where its frames have `needed`.
  case missingBytes(found: Int, needed: Int)
  /// The system refused with this number.
  case system(Int32)
}

extension PCMBufferError {
  /// What is wrong, and what to do, for people.
  public var sentence: String {
    switch self {
    case .notReady:
      "The buffer has no format or no data yet. Pass it on when it is ready."
    case .notPCM(let formatID):
      "The buffer holds coded sound (\(Self.characters(formatID))) and no samples. Decode it first."
    case .unsupportedSampleRate(let rate):
      "The buffer's rate of \(rate) Hz is not possible. Use 1 Hz to 1 MHz."
    case .unsupportedChannelCount(let count):
      "A buffer of \(count) channels cannot be taken. Use 1 to \(PCMDescription.mostChannels)."
    case .unsupportedSample(let bits, let bytesPerFrame):
      "Samples of \(bits) bits in frames of \(bytesPerFrame) bytes cannot be taken. "
        + "Use whole bytes, or floating point of 32 or 64 bits."
    case .wrongBufferCount(let found, let needed):
      "The buffer has \(found) areas of memory where its format has \(needed). "
        + "Describe it as what it is."
    case .missingBytes(let found, let needed):
      "The buffer has \(found) bytes where its frames have \(needed). "
        + "Say how many frames are valid."
    case .system(let status):
      "The system did not hand out the buffer's memory (error \(status)). Try the next buffer."
    }
  }

  /// The four characters of a number, with a question mark for what cannot be shown.
  private static func characters(_ code: UInt32) -> String {
    let bytes = [24, 16, 8, 0].map { (shift: UInt32) -> UInt8 in
      let byte = UInt8(truncatingIfNeeded: code >> shift)
      return byte >= 32 && byte < 127 ? byte : 63
    }
    return String(decoding: bytes, as: UTF8.self)
  }
}
