import AacornSignal
import AacornSoundFiles
import AacornSystem

/// The detected kind of a sound file, with its reader.
enum DetectedSound {
  /// Samples in a known format, and the range of samples that the block already contains.
  case stored(PCMFileInfo, Range<Int>?)
  /// AAC; `head` contains all bytes that have been read from a pipe.
  case coded(head: [UInt8])
  /// A file that the system's library decodes.
  case library(LibrarySoundFile)

  /// Detects the kind of a file, which is read into `block`.
  ///
  /// Our own reader of samples has precedence, then our decoder, then the system's library. MPEG
  /// audio in an `endless` pipe is decoded as it arrives.
  init(
    in file: InputFile, block: inout [UInt8], endless: Bool = false
  ) throws(AACFileError) {
    var reader = PCMFileReader(canSeek: file.isSeekable)
    var head: [UInt8] = []
    while true {
      let count = try file.read(into: &block)
      // Other formats are detected from the first bytes, so later bytes are not kept.
      if head.count < PCMFileKind.longPrefixCount { head += block[..<count] }
      if count == 0 && file.position == 0 { throw .empty(file.path) }
      let step: PCMFileReader.Step
      do throws(PCMFileError) {
        step = count == 0 ? try reader.finish() : try reader.push(block.span.extracting(..<count))
      } catch {
        try Self.readMore(in: file, block: &block, head: &head)
        self = try Self.other(
          than: error, in: file, block: &block, head: &head, endless: endless)
        return
      }
      switch step {
      case .needMore: continue
      case .seek(let position): try file.seek(to: Int(clamping: position))
      case .ready(let info):
        let leftover = try Self.skip(
          to: info.dataOffset, in: file, lastCount: count, block: &block)
        self = .stored(info, leftover)
        return
      }
    }
  }

  /// The maximum size in bytes of a tag in a pipe; the tag is read to find the audio after it.
  private static let tagLimit = 1 << 20

  /// Reads a pipe until its kind is detected: it may have delivered only a few bytes, or only a
  /// tag.
  private static func readMore(
    in file: InputFile, block: inout [UInt8], head: inout [UInt8]
  ) throws(AACFileError) {
    if file.isSeekable { return }
    while true {
      var enough = PCMFileKind.longPrefixCount
      switch PCMFileKind(prefix: head.span) {
      // Read more: only a second frame proves MPEG audio.
      case .unknown, .other(.mp3): break
      case .other(.taggedWithID3):
        enough += min(PCMFileKind.tagByteCount(head.span) ?? 0, Self.tagLimit)
      default: return
      }
      if head.count >= enough { return }
      let count = try file.read(into: &block)
      if count == 0 { return }
      head += block[..<count]
    }
  }

  /// Opens the audio of a file that our own reader of samples rejects.
  private static func other(
    than error: PCMFileError, in file: InputFile, block: inout [UInt8], head: inout [UInt8],
    endless: Bool
  ) throws(AACFileError) -> DetectedSound {
    if error.isUnknownKind {
      let kind = try file.kind(startingWith: head)
      if kind.isDecoded { return .coded(head: head) }
      if kind == .unknown || endless && kind == .other(.mp3),
        try hasFrames(file, block: &block, head: &head, endless: endless)
      {
        return .coded(head: head)
      }
      #if os(Linux)
      if endless, !file.isSeekable, MPEGAudioStream.isPresent(in: head) {
        let stream = MPEGAudioStream(file, head: head)
        do throws(SoundLibraryError) {
          return .library(try LibrarySoundFile(stream))
        } catch {
          if let failure = stream.failure { throw failure }
          if case .refused = error { throw .withoutDecodableFrames(file.path) }
          throw AACFileError(error, .mp3, path: file.path)
        }
      }
      #endif
    }
    return .library(try file.librarySound(after: error, startingWith: head))
  }

  /// Returns whether AAC frames follow the first bytes of a file; bytes read from a pipe are
  /// appended to `head`.
  private static func hasFrames(
    _ file: InputFile, block: inout [UInt8], head: inout [UInt8], endless: Bool
  ) throws(AACFileError) -> Bool {
    if let size = file.size {
      let bytes = try file.bytes(at: 0, count: FrameSearch.searchByteCount)
      return FrameSearch.succeeds(in: bytes, byteCount: size)
    }
    var search = FrameSearch()
    search.push(head)
    var nextTest = 0
    while !search.isSuccessful, head.count < FrameSearch.searchByteCount {
      #if os(Linux)
      // A pipe may deliver few bytes at a time, so test only every 2048 bytes.
      if endless, head.count >= nextTest {
        if MPEGAudioStream.isPresent(in: head) { break }
        nextTest = head.count + 2048
      }
      #endif
      let count = try file.read(into: &block)
      search.push(Array(block[..<count]))
      if count == 0 { break }
      head += block[..<count]
    }
    return search.isSuccessful
  }

  private static func skip(
    to dataOffset: UInt64, in file: InputFile, lastCount: Int, block: inout [UInt8]
  ) throws(AACFileError) -> Range<Int>? {
    if file.isSeekable {
      try file.seek(to: Int(clamping: dataOffset))
      return nil
    }
    let target = Int(clamping: dataOffset)
    var count = lastCount
    while target > file.position {
      count = try file.read(into: &block)
      if count == 0 { return 0..<0 }
    }
    return max(0, count - (file.position - target))..<count
  }
}

extension PCMFileError {
  /// Whether our own reader of samples does not recognize the kind of the file.
  var isUnknownKind: Bool {
    switch self {
    case .notRecognized, .otherFormat: true
    default: false
    }
  }
}

extension PCMFileKind {
  /// Whether the AAC in a file of this kind can be decoded.
  var isDecoded: Bool {
    if case .other(let format) = self { format.isDecoded } else { false }
  }
}
