#if canImport(Glibc)
import Glibc
#elseif canImport(Musl)
import Musl
#elseif canImport(Darwin)
import Darwin
#endif

extension System {
  /// Opens a file without waiting for its other end.
  ///
  /// Opening a named pipe without a writer for reading succeeds immediately; opening one without a
  /// reader for writing throws `noReader`.
  ///
  /// If `waits` is true, later reads and writes block; otherwise they throw `wouldBlock`.
  package static func open(
    _ path: String, for mode: OpenMode, waits: Bool
  ) throws(SystemError) -> Int32 {
    let direction = mode == .writing ? O_WRONLY : mode == .changing ? O_RDWR : O_RDONLY
    let descriptor = try open(path, flags: direction | O_CLOEXEC | O_NOCTTY | O_NONBLOCK)
    if waits {
      let flags = fcntl(descriptor, F_GETFL)
      _ = fcntl(descriptor, F_SETFL, flags & ~O_NONBLOCK)
    }
    return descriptor
  }

  /// The default timeout in nanoseconds for a reader of a named pipe, sufficient for a reader
  /// started together with the writer.
  package static let readerTimeout: Int64 = 5_000_000_000

  /// Opens a pipe or a device for writing.
  ///
  /// Waits for a reader of a named pipe; throws `noReader` on timeout, and returns nil once
  /// `isCancelled` returns true. The system's blocking `open` has no timeout and cannot be
  /// canceled.
  package static func openPipe(
    _ path: String, timeout: Int64 = readerTimeout, isCancelled: () -> Bool
  ) throws(SystemError) -> Int32? {
    let deadline = nanoseconds + timeout
    while true {
      do throws(SystemError) {
        return try open(path, for: .writing, waits: true)
      } catch {
        if error != .noReader || (try? status(of: path))?.kind != .other { throw error }
      }
      if isCancelled() { return nil }
      if nanoseconds >= deadline { throw .noReader }
      sleep(milliseconds: 20)
    }
  }
}

extension SystemError {
  /// The error for a named pipe that is opened for writing and has no reader.
  package static let noReader = SystemError(code: ENXIO)
}
