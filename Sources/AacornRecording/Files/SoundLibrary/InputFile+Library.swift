import AacornSoundFiles
import AacornSystem

extension InputFile {
  /// Opens a file that our own readers reject, and that begins with `head`, with the system's
  /// library; throws the reason if the library does not read it either, or is not used.
  func librarySound(
    after error: PCMFileError, startingWith head: [UInt8], isUsed: Bool
  ) throws(AACFileError) -> LibrarySoundFile {
    let kind = try kind(startingWith: head)
    switch isUsed ? SoundLibraryUse(after: error, kind: kind, head: head) : .never {
    case .needed(let format):
      guard isSeekable else {
        throw AACFileError(
          .unsupported,
          "“\(displayed(path))” is \(format.phrase), which cannot be read from a pipe.",
          suggestion: .passAsFile(because: "is \(format.phrase)"))
      }
      let frames = try format.isMPEGAudio ? mpegFrames() : nil
      return try rethrow(
        as: { AACFileError($0, format, path: path) }, openWithLibrary(frames))
    case .ifReadable:
      if isSeekable, let sound = try? openWithLibrary() { return sound }
    case .never: break
    }
    if case .other(let format) = kind { throw AACFileError(.otherFormat(format), path: path) }
    throw AACFileError(error, path: path)
  }
}

/// The decision whether the system's sound library reads a file that our own readers reject.
enum SoundLibraryUse: Equatable {
  /// The library reads files of this kind, so its error is reported.
  case needed(FileKind.Other)
  /// The library may read the file; otherwise our own reader's error is reported.
  case ifReadable
  /// The library cannot read the file, or our own reader's error is better.
  case never

  /// Decides by our own reader's error and the kind of the file, which begins with `head`.
  init(after error: PCMFileError, kind: FileKind, head: [UInt8]) {
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

extension LibrarySoundFile {
  /// The missing audio at the end of a file, in seconds.
  enum Shortfall {
    /// Missing according to the header.
    case announced(Double)
    /// Frames in the file that the library did not read.
    case unread(Double)
  }

  /// The missing audio of the file; nil if none is known.
  var shortfall: Shortfall? {
    let seconds = Double(position) / Double(sampleRate)
    if let frames = mpegFrames, frames.duration - seconds > Self.tolerance * frames.frameDuration {
      return .unread(frames.duration - seconds)
    }
    guard let frameCount, position < frameCount else { return nil }
    return .announced(Double(frameCount - position) / Double(sampleRate))
  }

  /// The number of MPEG audio frames that may be missing: the info frame, and the trimmed delay and
  /// padding of at most 4095 samples each.
  private static var tolerance: Double { 10 }
}
