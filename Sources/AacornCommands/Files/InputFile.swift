import AacornSystem

/// A file or standard input, read in blocks.
final class InputFile {
  let path: String
  /// The size in bytes, if known beforehand.
  let size: Int?
  private let descriptor: Int32
  private let mayBlock: Bool
  private let interruption: Interruption
  /// The initial position; the program that passed standard input may have read some of it.
  private let origin: Int
  /// Bytes read so far, or the position set by `seek`.
  private(set) var position = 0

  /// Opens a file; `-` is standard input.
  init(_ path: String, interruption: Interruption) throws(CommandFailure) {
    self.path = path == "-" ? "standard input" : path
    self.interruption = interruption
    do throws(SystemError) {
      // The wait for a named pipe must be interruptible by a signal, unlike the system's own.
      descriptor =
        path == "-"
        ? System.standardInput : try System.open(path, for: .reading, waits: false)
    } catch {
      throw CommandFailure(.open, path, error)
    }
    do throws(SystemError) {
      let status = try System.status(of: descriptor)
      if status.kind == .folder { throw .isFolder }
      mayBlock = status.kind != .file
      origin = mayBlock ? 0 : try System.position(in: descriptor)
      size = mayBlock ? nil : max(0, status.size - origin)
    } catch {
      if descriptor != System.standardInput { try? System.close(descriptor) }
      throw CommandFailure(.open, path, error)
    }
  }

  deinit {
    if descriptor != System.standardInput { try? System.close(descriptor) }
  }

  /// Whether the position can be moved.
  var isSeekable: Bool { !mayBlock }

  /// Reads into `bytes` from `offset`, at most to its end; 0 means the end of the file.
  func read(into bytes: inout [UInt8], from offset: Int = 0) throws(CommandFailure) -> Int {
    if offset >= bytes.count { return 0 }
    while true {
      do throws(Interrupted) {
        if mayBlock { try interruption.wait(for: descriptor) } else { try interruption.check() }
      } catch {
        throw CommandFailure(error)
      }
      do throws(SystemError) {
        let count = try System.read(descriptor, into: &bytes, from: offset)
        position += count
        return count
      } catch {
        // Another reader of the same pipe was faster.
        if error != .wouldBlock { throw CommandFailure(.read, path, error) }
      }
    }
  }

  /// Moves to a position in the file.
  func seek(to position: Int) throws(CommandFailure) {
    // No file is that long, and the sum below must not overflow.
    let position = min(max(0, position), 1 << 60)
    do throws(SystemError) {
      try System.seek(descriptor, to: origin + position)
      self.position = position
    } catch {
      throw CommandFailure(.read, path, error)
    }
  }

  /// Reads the rest; throws if it exceeds `limit` bytes.
  func readAll(limit: Int) throws(CommandFailure) -> [UInt8] {
    var bytes: [UInt8] = []
    var block = [UInt8](repeating: 0, count: 65_536)
    if let size, size <= limit { bytes.reserveCapacity(size) }
    while true {
      let count = try read(into: &block)
      if count == 0 { return bytes }
      if bytes.count + count > limit {
        throw CommandFailure(
          .unsupported,
          "“\(displayed(path))” is larger than \(QuantityText.size(limit)). Choose a smaller one.")
      }
      bytes += block[..<count]
    }
  }
}
