/// The reasons why a file of PCM samples cannot be read.
@frozen
public enum PCMFileError: Error, Equatable, Sendable {
  /// The first bytes match no known format.
  case notRecognized
  /// The file is in another format, which must be converted to WAV first.
  case otherFormat(FileKind.Other)
  /// A WAV file with a compressed `formatTag`, such as 0x55 for MP3 or 0xFF for AAC.
  case compressedWAV(formatTag: UInt16)
  /// An AIFC file with an unsupported compression type, given as its four-character code.
  case compressedAIFF(compressionType: UInt32)
  /// A CAF file without PCM; the payload is its four-character format code.
  case compressedCAF(formatID: UInt32)
  /// Samples with this number of bits are not supported.
  case unsupportedBitDepth(Int)
  /// No channels, or more than `PCMFileReader.maximumChannelCount`.
  case unsupportedChannelCount(Int)
  /// A rate of 0 or above `PCMFileReader.maximumSampleRate`, in hertz, capped at 2^32 − 1.
  case unsupportedSampleRate(UInt32)
  /// The chunk at `offset` is too short or contradicts itself.
  case malformedChunk(offset: UInt64)
  /// The samples precede their format description, or have none.
  case missingFormat
  /// The file ends without a sample chunk.
  case missingData
  /// The file ends inside its header, after `offset` bytes.
  case truncatedHeader(offset: UInt64)
  /// The samples at `offset` precede their description, so the input must be seekable.
  case requiresSeeking(offset: UInt64)
}
