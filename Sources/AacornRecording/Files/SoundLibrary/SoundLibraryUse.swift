import AacornSoundFiles

/// The decision whether the system's sound library reads a file that our own readers reject.
enum SoundLibraryUse: Equatable {
  /// The library reads files of this kind, so its error is reported.
  case needed(PCMFileKind.Other)
  /// The library may read the file; otherwise our own reader's error is reported.
  case ifReadable
  /// The library cannot read the file, or our own reader's error is better.
  case never

  /// Decides by our own reader's error and the kind of the file, which begins with `head`.
  init(after error: PCMFileError, kind: PCMFileKind, head: [UInt8]) {
    switch error {
    case .notRecognized, .otherFormat:
      switch kind {
      case .other(let format): self = format.isForLibrary ? .needed(format) : .never
      // If data only begins like MPEG audio, the library would search it for a frame and print
      // errors.
      case .unknown, .wav, .aiff, .caf: self = head.first == 0xFF ? .never : .ifReadable
      }
    case .compressedWAV, .compressedAIFF, .compressedCAF, .unsupportedBitDepth: self = .ifReadable
    case .unsupportedChannelCount, .unsupportedSampleRate, .malformedChunk, .missingFormat,
      .missingData, .truncatedHeader, .requiresSeeking:
      self = .never
    }
  }
}
