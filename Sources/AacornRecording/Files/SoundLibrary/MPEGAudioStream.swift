#if os(Linux)
import AacornContainers
import AacornSoundFiles

/// The complete frames of MPEG audio in a pipe.
///
/// Bytes between frames are skipped, such as a partial frame at the beginning of a live stream. One
/// thread at a time may use it.
@safe
final class MPEGAudioStream {
  private let file: InputFile
  /// Bytes that have not been searched for frames.
  private var pending: [UInt8]
  /// Frames; the bytes from `first` on are unread.
  private var frames: [UInt8] = []
  private var first = 0
  private var block = [UInt8](repeating: 0, count: 4096)
  private var isAtEnd = false
  /// The error that ended reading the pipe.
  private(set) var failure: AACFileError?

  /// The number of bytes to search at a time: several frames of maximum length.
  private static let pieceSize = 8192
  /// The number of bytes in which a frame must be found.
  private static let searchByteLimit = FrameSource.searchByteLimit(isPiped: true)

  /// Creates the stream in a pipe whose first bytes are `head`.
  init(_ file: InputFile, head: [UInt8]) {
    self.file = file
    pending = head
  }

  /// Returns whether the first bytes of a stream contain several consecutive frames.
  static func isPresent(in head: [UInt8]) -> Bool {
    var scanner = scanner(of: head)
    return scanner.hasFrames()
  }

  private static func scanner(of bytes: [UInt8]) -> MPEGAudioScanner<Never> {
    MPEGAudioScanner<Never>(byteCount: bytes.count) { offset, count in
      offset < bytes.count ? Array(bytes[offset..<min(bytes.count, offset + count)]) : []
    }
  }

  /// Fills memory with the next bytes of frames and returns their number: fewer than requested only
  /// at the end, or after an error.
  func read(into memory: UnsafeMutableRawBufferPointer) -> Int {
    var filled = 0
    while filled < memory.count {
      if first == frames.count, !findFrames() { break }
      let count = min(memory.count - filled, frames.count - first)
      for index in 0..<count { unsafe memory[filled + index] = frames[first + index] }
      filled += count
      first += count
    }
    return filled
  }

  /// Fills `frames` with the next frames; returns false at the end.
  private func findFrames() -> Bool {
    frames.removeAll(keepingCapacity: true)
    first = 0
    let origin = file.position
    while frames.isEmpty {
      if file.position - origin > Self.searchByteLimit {
        failure = .withoutDecodableFrames(file.path)
        break
      }
      while pending.count < Self.pieceSize, !isAtEnd { readMore() }
      var scanner = Self.scanner(of: pending)
      let pieces = scanner.frames()?.pieces ?? []
      for piece in pieces { frames += pending[piece] }
      // The end of a piece without frames may be the beginning of a frame.
      let end = pieces.last?.upperBound ?? max(0, pending.count - Self.pieceSize / 2)
      pending.removeFirst(end)
      if isAtEnd { break }
    }
    return !frames.isEmpty
  }

  private func readMore() {
    do throws(AACFileError) {
      let count = try file.read(into: &block)
      pending += block[..<count]
      isAtEnd = count == 0
    } catch {
      failure = error
      isAtEnd = true
    }
  }
}
#endif
