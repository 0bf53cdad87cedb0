import AacornDevices
import AacornSignal
import AacornSoundFiles
import AacornSystem

/// The open file of a signal.
///
/// Copies of the signal share this object and have separate positions. The file is closed with the
/// last copy of the signal.
final class SignalFile: Sendable {
  let path: String
  let byteCount: Int
  private let descriptor: Int32

  init(_ path: String) throws(DeviceError) {
    self.path = path
    do throws(SystemError) {
      descriptor = try System.open(path, for: .reading, waits: false)
    } catch {
      throw .unreadableFile(path: path, reason: error.text)
    }
    guard let status = try? System.status(of: descriptor), status.kind == .file else {
      try? System.close(descriptor)
      throw .unreadableFile(path: path, reason: "it is not a regular file")
    }
    byteCount = status.size
  }

  deinit { try? System.close(descriptor) }

  func unreadable(_ reason: String) -> DeviceError { .unreadableFile(path: path, reason: reason) }

  /// Reads the bytes at a position into `bytes`, and returns their number; fewer than requested
  /// only at the end, or before an unreadable part.
  func read(into bytes: inout [UInt8], at position: Int) throws(SystemError) -> Int {
    var filled = try System.read(descriptor, into: &bytes, at: position)
    if filled == 0 { return 0 }
    while filled < bytes.count {
      var piece = [UInt8](repeating: 0, count: bytes.count - filled)
      let count = (try? System.read(descriptor, into: &piece, at: position + filled)) ?? 0
      if count == 0 { break }
      bytes.replaceSubrange(filled..<filled + count, with: piece[..<count])
      filled += count
    }
    return filled
  }

  /// Returns the bytes at a position; fewer only at the end.
  func bytes(at position: Int, count: Int) throws(SystemError) -> [UInt8] {
    // Allocate no more than the file contains, because the count may come from a damaged header.
    var bytes = [UInt8](repeating: 0, count: max(0, min(count, byteCount - position)))
    if bytes.isEmpty { return [] }
    let read = try read(into: &bytes, at: position)
    bytes.removeLast(bytes.count - read)
    return bytes
  }

  /// Reads the format and the position of the samples.
  func header() throws(PCMFileError) -> PCMFileInfo {
    var reader = PCMFileReader()
    var block = [UInt8](repeating: 0, count: 16_384)
    var position = 0
    while true {
      guard let count = try? System.read(descriptor, into: &block, at: position) else {
        throw .notRecognized
      }
      position += count
      let step =
        count == 0 ? try reader.finish() : try reader.push(block.span.extracting(..<count))
      switch step {
      case .needMore: continue
      case .seek(let target): position = Int(clamping: target)
      case .ready(let info): return info.unwrapped(in: byteCount)
      }
    }
  }

  /// Returns the kind of the file, even if a tag precedes the audio, and the first bytes of the
  /// file.
  func kind() -> (kind: PCMFileKind, head: [UInt8]) {
    let head = (try? bytes(at: 0, count: PCMFileKind.longPrefixCount)) ?? []
    let kind = PCMFileKind(prefix: head.span)
    if kind == .other(.taggedWithID3), let end = PCMFileKind.tagByteCount(head.span),
      let afterTag = try? bytes(at: end, count: PCMFileKind.longPrefixCount)
    {
      let inner = PCMFileKind(prefix: afterTag.span)
      if inner != .unknown && inner != kind { return (inner, head) }
    }
    guard kind.mayPrecedeMPEGAudio(head) else { return (kind, head) }
    var scanner = mpegScanner
    return ((try? scanner.hasFrames()) == true ? .other(.mp3) : kind, head)
  }

  /// Whether the file contains AAC frames, possibly after the remainder of a frame: a stream may
  /// begin in the middle of a frame.
  var hasFrames: Bool {
    guard let head = try? bytes(at: 0, count: FrameSearch.searchByteCount) else { return false }
    return FrameSearch.succeeds(in: head, byteCount: byteCount)
  }

  private var mpegScanner: MPEGAudioScanner<SystemError> {
    MPEGAudioScanner(byteCount: byteCount) { (offset, count) throws(SystemError) in
      try self.bytes(at: offset, count: count)
    }
  }

  /// Opens the audio of a file that our own readers reject, with the system's library; throws the
  /// reason if that fails, too.
  func librarySound(
    _ kind: PCMFileKind, _ use: SoundLibraryUse
  ) throws(DeviceError) -> LibrarySoundFile {
    var reason = "it is not a recognized sound file, or is damaged"
    if case .other(let format) = kind { reason = "it is \(format.phrase)" }
    if use != .never {
      var scanner = mpegScanner
      var frames: MPEGAudioFrames?
      if case .other(let format) = kind, format.isMPEGAudio { frames = try? scanner.frames() }
      do throws(SoundLibraryError) {
        return try LibrarySoundFile(
          path: path, descriptor: descriptor, origin: 0, byteCount: byteCount, frames: frames)
      } catch {
        if case .needed(let format) = use {
          let remedy = error.remedy(for: format).map { "; \($0)" } ?? ""
          reason = "it \(error.clause(for: format))\(remedy)"
        }
      }
    }
    throw unreadable(reason)
  }
}
