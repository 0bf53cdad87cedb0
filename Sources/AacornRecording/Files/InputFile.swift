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
      throw AACFileError(.open, path, error)
    }
    do throws(SystemError) {
      let status = try System.status(of: descriptor)
      if status.kind == .folder { throw .isFolder }
      mayBlock = status.kind != .file
      origin = mayBlock ? 0 : try System.position(in: descriptor)
      size = mayBlock ? nil : max(0, status.size - origin)
    } catch {
      if descriptor != System.standardInput { try? System.close(descriptor) }
      throw AACFileError(.open, path, error)
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
        position += count
        return count
      } catch {
        // Wait again if another reader of the same pipe has read the bytes.
        if error != .wouldBlock { throw AACFileError(.read, path, error) }
      }
    }
  }

  package func seek(to position: Int) throws(AACFileError) {
    // Limit the position: no file is that long, and the sum below must not overflow.
    let position = min(max(0, position), 1 << 60)
    do throws(SystemError) {
      try System.seek(descriptor, to: origin + position)
      self.position = position
    } catch {
      throw AACFileError(.read, path, error)
    }
  }

  /// Returns bytes at an offset of a file with a known size; fewer only at its end.
  package func bytes(at offset: Int, count: Int) throws(AACFileError) -> [UInt8] {
    guard let size, count > 0, offset < size else { return [] }
    try seek(to: offset)
    var bytes = [UInt8](repeating: 0, count: min(count, size - offset))
    var filled = 0
    while filled < bytes.count {
      let added = try read(into: &bytes, from: filled)
      if added == 0 { break }
      filled += added
    }
    bytes.removeLast(bytes.count - filled)
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
          .text("Choose a smaller one."))
      }
      bytes += block[..<count]
    }
  }
}
