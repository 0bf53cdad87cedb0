import AacornSoundFiles
import AacornSystem

extension InputFile {
  /// Opens a file that our own readers reject, and that begins with `head`, with the system's
  /// library; throws the reason if the library does not read it either.
  func librarySound(
    after error: PCMFileError, startingWith head: [UInt8]
  ) throws(AACFileError) -> LibrarySoundFile {
    let kind = try kind(startingWith: head)
    switch SoundLibraryUse(after: error, kind: kind, head: head) {
    case .needed(let format):
      guard isSeekable else {
        throw AACFileError(
          .unsupported,
          "“\(displayed(path))” is \(format.phrase), which cannot be read from a pipe.",
          .passAsFile(because: "is \(format.phrase)"))
      }
      let frames = try format.isMPEGAudio ? mpegFrames() : nil
      do throws(SoundLibraryError) {
        return try openWithLibrary(frames)
      } catch {
        throw AACFileError(error, format, path: path)
      }
    case .ifReadable:
      if isSeekable, let sound = try? openWithLibrary() { return sound }
    case .never: break
    }
    if case .other(let format) = kind { throw AACFileError(.otherFormat(format), path: path) }
    throw AACFileError(error, path: path)
  }
}
