import AacornSignal
import AacornSoundFiles
package import AacornSystem

/// A file or standard input, read in blocks.
package final class InputFile {
  /// The name in messages.
  package let path: String
  /// The path to open, which may differ from the name in messages.
  private let openPath: String
  /// The size in bytes, if known in advance.
  package let size: Int?
  private let descriptor: Int32
  private let mayBlock: Bool
  private let interruption: Interruption
  /// The initial position; the program that passed standard input may have read some of it.
  private let origin: Int
  /// The number of bytes read, or the position set by `seek`.
  package private(set) var position = 0
  /// The digest of the first `digestedByteCount` bytes; nil unless it was requested.
  private var digest: SHA256?
  private var digestedByteCount = 0

  /// Opens a file; messages use its path unless it has a `name`; `-` is standard input.
  package init(
    _ path: String, name: String? = nil, interruption: Interruption
  ) throws(AACFileError) {
    self.path = name ?? (path == "-" ? "standard input" : path)
    openPath = path
    self.interruption = interruption
    do throws(SystemError) {
      // Do not wait for a writer of a named pipe here: the wait before reading ends on a signal,
      // but the wait in the system's `open` does not.
      descriptor =
        path == "-"
        ? System.standardInput : try System.open(path, for: .reading, waits: false)
    } catch {
      throw AACFileError(.open, path, because: error)
    }
    do throws(SystemError) {
      let status = try System.status(of: descriptor)
      if status.kind == .folder { throw .isFolder }
      mayBlock = status.kind != .file
      origin = mayBlock ? 0 : try System.position(in: descriptor)
      size = mayBlock ? nil : max(0, status.size - origin)
    } catch {
      if descriptor != System.standardInput { try? System.close(descriptor) }
      throw AACFileError(.open, path, because: error)
    }
  }

  deinit {
    if descriptor != System.standardInput { try? System.close(descriptor) }
  }

  /// Opens the file with the system's sound library, which reads it from its beginning and does not
  /// change the position.
  ///
  /// The file must outlive the result.
  ///
  /// If `frames` of MPEG audio are given, only these are read.
  func openWithLibrary(
    _ frames: MPEGAudioFrames? = nil
  ) throws(SoundLibraryError) -> LibrarySoundFile {
    try LibrarySoundFile(
      path: descriptor == System.standardInput ? nil : openPath, descriptor: descriptor,
      origin: origin, byteCount: size ?? 0, frames: frames)
  }

  package var isSeekable: Bool { !mayBlock }

  /// Reads into `bytes` from `offset`, at most to its end; 0 means the end of the file.
  package func read(into bytes: inout [UInt8], from offset: Int = 0) throws(AACFileError) -> Int {
    if offset >= bytes.count { return 0 }
    while true {
      do throws(Interrupted) {
        if mayBlock { try interruption.wait(for: descriptor) } else { try interruption.check() }
      } catch {
        throw AACFileError(error)
      }
      do throws(SystemError) {
        let count = try System.read(descriptor, into: &bytes, from: offset)
        if digest != nil { addToDigest(bytes[offset..<offset + count]) }
        position += count
        return count
      } catch {
        // Wait again if another reader of the same pipe has read the bytes.
        if error != .wouldBlock { throw AACFileError(.read, path, because: error) }
      }
    }
  }

  /// Begins to compute the SHA-256 digest of the file from the bytes that are read.
  func beginDigest() { digest = SHA256() }

  /// Adds the bytes at `position` to the digest, unless they leave a gap or were added before.
  private func addToDigest(_ bytes: ArraySlice<UInt8>) {
    let known = digestedByteCount - position
    guard known >= 0, known < bytes.count else { return }
    digest?.append(bytes.dropFirst(known))
    digestedByteCount += bytes.count - known
  }

  /// Returns the digest of the file; reads the bytes that were not read in order.
  func finishDigest() throws(AACFileError) -> [UInt8]? {
    if digest == nil { return nil }
    if position != digestedByteCount { try seek(to: digestedByteCount) }
    var block = [UInt8](repeating: 0, count: 1 << 16)
    while try read(into: &block) > 0 {}
    return digest?.finish()
  }

  package func seek(to position: Int) throws(AACFileError) {
    // Limit the position: no file is that long, and the sum below must not overflow.
    let position = min(max(0, position), 1 << 60)
    do throws(SystemError) {
      try System.seek(descriptor, to: origin + position)
      self.position = position
    } catch {
      throw AACFileError(.read, path, because: error)
    }
  }

  /// Returns the samples in a file of a known size; nil if it is shorter than `info` states, if its
  /// digest is computed, or if it is standard input, whose position others share.
  ///
  /// The file must outlive the result.
  func storedSamples(_ info: PCMFileInfo) -> StoredSamples? {
    guard descriptor != System.standardInput, digest == nil, let size,
      let frameCount = info.frameCount(in: size),
      size - Int(clamping: info.dataOffset) >= Int(clamping: info.dataByteCount ?? 0)
    else { return nil }
    return StoredSamples(
      descriptor: descriptor, path: path, info: info,
      position: origin + Int(clamping: info.dataOffset), frameCount: frameCount)
  }

  /// Returns bytes at an offset of a file with a known size; fewer only at its end.
  package func bytes(at offset: Int, count: Int) throws(AACFileError) -> [UInt8] {
    guard let size, count > 0, offset < size else { return [] }
    try seek(to: offset)
    var bytes: [UInt8] = []
    try append(min(count, size - offset), to: &bytes)
    return bytes
  }

  /// Returns the first bytes of a regular file, fewer only if it is shorter; nil if it cannot be
  /// read.
  package static func head(
    of path: String, count: Int, _ interruption: Interruption
  ) -> [UInt8]? {
    guard let file = try? InputFile(path, interruption: interruption), file.size != nil else {
      return nil
    }
    return try? file.bytes(at: 0, count: count)
  }

  /// Appends the next bytes, fewer only at the end.
  func append(_ count: Int, to bytes: inout [UInt8]) throws(AACFileError) {
    var filled = bytes.count
    bytes += repeatElement(0, count: count)
    while filled < bytes.count {
      let added = try read(into: &bytes, from: filled)
      if added == 0 { break }
      filled += added
    }
    bytes.removeLast(bytes.count - filled)
  }

  /// Returns the next bytes, fewer only at the end.
  package func next(_ count: Int) throws(AACFileError) -> [UInt8] {
    var bytes: [UInt8] = []
    try append(count, to: &bytes)
    return bytes
  }

  /// Reads the remainder; throws if it exceeds `limit` bytes.
  package func readAll(limit: Int) throws(AACFileError) -> [UInt8] {
    var bytes: [UInt8] = []
    var block = [UInt8](repeating: 0, count: 65_536)
    if let size, size <= limit { bytes.reserveCapacity(size) }
    while true {
      let count = try read(into: &block)
      if count == 0 { return bytes }
      if bytes.count + count > limit {
        throw AACFileError(
          .unsupported, "“\(displayed(path))” is larger than \(QuantityText.size(limit)).",
          suggestion: .text("Choose a smaller one."))
      }
      bytes += block[..<count]
    }
  }
}

extension InputFile {
  /// Returns the kind of a file that begins with `head`.
  ///
  /// If `head` contains only tags, the bytes after them are read if the file is seekable. The
  /// position does not change.
  func kind(startingWith head: [UInt8]) throws(AACFileError) -> FileKind {
    let kind = FileKind(prefix: head.span)
    if kind == .other(.taggedWithID3) || kind == .unknown {
      let content = try content(startingWith: head).bytes
      let inner = FileKind(prefix: content.span)
      if inner != .unknown { return inner }
    }
    guard kind.mayPrecedeMPEGAudio(head), isSeekable else { return kind }
    let origin = position
    var scanner = mpegScanner
    let hasFrames = try scanner.hasFrames()
    try seek(to: origin)
    return hasFrames ? .other(.mp3) : kind
  }

  /// Returns the frames of MPEG audio; nil if there are none, or none with a known length.
  ///
  /// The position does not change.
  func mpegFrames() throws(AACFileError) -> MPEGAudioFrames? {
    let origin = position
    var scanner = mpegScanner
    let frames = try scanner.frames()
    try seek(to: origin)
    return frames
  }

  private var mpegScanner: MPEGAudioScanner<AACFileError> {
    MPEGAudioScanner(byteCount: size ?? 0) { (offset, count) throws(AACFileError) in
      try self.bytes(at: offset, count: count)
    }
  }

  /// Returns the end of the tags at the start of a file that begins with `head`, and the bytes after
  /// them: enough to detect a kind, or those in `head` if the file is not seekable.
  ///
  /// The position does not change.
  func content(
    startingWith head: [UInt8]
  ) throws(AACFileError) -> (offset: Int, bytes: [UInt8]) {
    let origin = position
    var bytes = head
    var offset = 0
    while true {
      let count = StreamTag.totalByteCount(bytes.span)
      if count == 0 { break }
      offset += count
      if isSeekable {
        bytes = try self.bytes(at: offset, count: FileKind.longPrefixCount)
      } else {
        bytes = Array(bytes.dropFirst(count))
      }
    }
    if isSeekable { try seek(to: origin) }
    return (offset, bytes)
  }
}

extension FileKind {
  /// Returns whether MPEG audio may follow another tag, zeros or a partial frame.
  func mayPrecedeMPEGAudio(_ head: [UInt8]) -> Bool {
    switch self {
    case .other(.taggedWithID3): true
    case .unknown: head.first == 0xFF || head.starts(with: [0, 0, 0, 0])
    default: false
    }
  }
}

extension FileKind.Other {
  /// The name of the kind with an article, as the end of a sentence.
  var phrase: String {
    switch self {
    case .flac: "a FLAC file"
    case .mp3: "an MP3 file"
    case .taggedWithID3: "an MP3 or AAC file with an ID3 tag"
    case .ogg: "an Ogg file"
    case .mp4: "an MP4 file"
    case .adts, .adif, .loas: "an AAC file"
    case .matroska: "a Matroska or WebM file"
    case .wavPack: "a WavPack file"
    case .monkeysAudio: "a Monkey's Audio file"
    case .asf: "a Windows Media file"
    case .wave64: "a Wave64 file"
    case .sunAudio: "a Sun audio file"
    case .avi: "an AVI file"
    case .transportStream: "an MPEG transport stream"
    case .programStream: "an MPEG program stream"
    case .flashVideo: "a Flash video"
    case .midi: "a MIDI file, which contains notes, not sound"
    }
  }

  /// Whether AAC in this kind of file can be decoded.
  var isDecoded: Bool { mayHoldAAC && self != .taggedWithID3 }

  var mayHoldAAC: Bool {
    switch self {
    case .mp4, .adts, .adif, .loas, .transportStream, .taggedWithID3: true
    default: false
    }
  }
}

extension InputFile {
  /// Throws if the file is known to contain no AAC, or AAC in an unsupported form; the error names
  /// the form.
  ///
  /// `head` is the beginning of the file: at least `FileKind.longPrefixCount` bytes, or the
  /// complete file.
  package func rejectKnownNonAAC(_ head: [UInt8]) throws(AACFileError) {
    let name: String
    switch try kind(startingWith: head) {
    case .unknown: return
    case .other(.mp4) where !FileKind.isMovie(head.span): throw .movieAfterTag(path)
    case .other(let format):
      if format.mayHoldAAC { return }
      throw AACFileError(
        .unsupported, "“\(displayed(path))” is \(format.phrase).", suggestion: .inspectAAC)
    case .wav: name = "a WAV file"
    case .aiff: name = "an AIFF file"
    case .caf: name = "a CAF file"
    }
    var content = ""
    var reader = PCMFileReader(canSeek: false)
    do throws(PCMFileError) {
      if case .ready(let info) = try reader.push(head.span) {
        let rate = QuantityText.frequency(info.format.sampleRate)
        let channels = QuantityText.count(info.format.channelCount, "channel")
        content = " with PCM audio (\(rate), \(channels)) and without AAC"
      }
    } catch {
      // The file is neither a sound file nor AAC, such as a picture in RIFF.
      if error == .notRecognized { return }
    }
    throw AACFileError(
      .unsupported, "“\(displayed(path))” is \(name)\(content).",
      suggestion: content.isEmpty ? .inspectAAC : .encode)
  }
}
