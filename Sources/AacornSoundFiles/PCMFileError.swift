/// Why a file of PCM samples cannot be read.
@frozen
public enum PCMFileError: Error, Equatable, Sendable {
  /// The first bytes are not those of any format we know.
  case notRecognized
  /// The file has another format, which has to be converted to WAV first.
  case otherFormat(PCMFileKind.Other)
  /// A WAV file with a compressed `formatTag`, such as 0x55 for MP3 or 0xFF for AAC.
  case compressedWAV(formatTag: UInt16)
  /// An AIFC file with another compression type, as the four characters of its code.
  case compressedAIFF(compressionType: UInt32)
  /// A CAF file that does not hold PCM; the payload is the four characters of its format.
  case compressedCAF(formatID: UInt32)
  /// Samples of so many bits cannot be read.
  case unsupportedBitDepth(Int)
  /// No channels, or more than `PCMFileReader.maximumChannelCount`.
  case unsupportedChannelCount(Int)
  /// A rate of 0 or beyond `PCMFileReader.maximumSampleRate`, in hertz, cut off at 2^32 − 1.
  case unsupportedSampleRate(UInt32)
  /// The chunk at `offset` is too short or contradicts itself.
  case malformedChunk(offset: UInt64)
  /// The samples come before any description of them, or without one.
  case missingFormat
  /// The file ends without a chunk of samples.
  case missingData
  /// The file ends inside its header, after `offset` bytes.
  case truncatedHeader(offset: UInt64)
  /// The samples at `offset` are described after them, which cannot be read from a pipe.
  case requiresSeeking(offset: UInt64)
}
