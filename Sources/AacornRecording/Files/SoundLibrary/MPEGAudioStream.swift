#if os(Linux)
import AacornSoundFiles

/// The whole frames of MPEG audio that comes through a pipe, without the bytes between them, such as a part of a
/// frame at the beginning of a live stream.
///
/// It belongs to one thread at a time.
@safe
final class MPEGAudioStream {
  private let file: InputFile
  /// Bytes that have been read and not been searched.
  private var pending: [UInt8]
  /// Frames, of which the bytes from `first` on have not been taken.
  private var frames: [UInt8] = []
  private var first = 0
  private var block = [UInt8](repeating: 0, count: 4096)
  private var isAtEnd = false
  /// The error that ended reading the pipe.
  private(set) var failure: AACFileError?

  /// Bytes that are searched at once: several of the longest frames.
  private static let pieceSize = 8192

  /// The stream in a pipe of which `head` has been read.
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

  /// Fills memory with the next bytes of frames and returns their number: fewer than fit only at the end, or
  /// where the pipe cannot be read.
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

  /// Fills `frames` with the next ones; false at the end.
  private func findFrames() -> Bool {
    frames.removeAll(keepingCapacity: true)
    first = 0
    while frames.isEmpty {
      while pending.count < Self.pieceSize, !isAtEnd { readOn() }
      var scanner = Self.scanner(of: pending)
      let pieces = scanner.frames()?.pieces ?? []
      for piece in pieces { frames += pending[piece] }
      // The end of a piece without frames may be the beginning of one.
      let end = pieces.last?.upperBound ?? max(0, pending.count - Self.pieceSize / 2)
      pending.removeFirst(end)
      if isAtEnd { break }
    }
    return !frames.isEmpty
  }

  private func readOn() {
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
