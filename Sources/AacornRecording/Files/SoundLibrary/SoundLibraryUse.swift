import AacornSoundFiles

/// Whether the system's sound library is asked for a file that our own readers refuse.
enum SoundLibraryUse: Equatable {
  /// Its answer is the last word: it reads files of this kind.
  case needed(PCMFileKind.Other)
  /// It may know the file; if not, our own reader has said what is wrong.
  case perhaps
  /// It does not know the file, or ours says something better about it.
  case never

  /// Decides by our own reader's error and by what the file is, which begins with `head`.
  init(after error: PCMFileError, kind: PCMFileKind, head: [UInt8]) {
    switch error {
    case .notRecognized, .otherFormat:
      switch kind {
      case .other(let format): self = format.isForLibrary ? .needed(format) : .never
      // What only begins like MPEG audio the library would search for a frame, with complaints.
      case .unknown, .wav, .aiff, .caf: self = head.first == 0xFF ? .never : .perhaps
      }
    case .compressedWAV, .compressedAIFF, .compressedCAF, .unsupportedBitDepth: self = .perhaps
    case .unsupportedChannelCount, .unsupportedSampleRate, .malformedChunk, .missingFormat,
      .missingData, .truncatedHeader, .requiresSeeking:
      self = .never
    }
  }
}
