#if canImport(Glibc)
import Glibc
#elseif canImport(Musl)
import Musl
#elseif canImport(Darwin)
import Darwin
#endif

/// An open file, which is closed when the last reference is released, unless `close` has closed it.
package final class OpenFile: Sendable {
  package let descriptor: Int32
  private let isOpen = Lock(true)

  /// Creates the owner of an open descriptor.
  package init(_ descriptor: Int32) { self.descriptor = descriptor }

  deinit { try? close() }

  /// Closes the file; does nothing if it is closed.
  ///
  /// At a second close, the descriptor might already belong to another file or connection.
  package func close() throws(SystemError) {
    let wasOpen = isOpen.withLock { isOpen in
      defer { isOpen = false }
      return isOpen
    }
    if wasOpen { try System.close(descriptor) }
  }
}

/// A pipe that wakes a thread from a wait for descriptors.
package final class WakePipe: Sendable {
  /// The descriptor to wait for, which is readable after `wake`.
  package let reading: Int32
  private let writing: Int32

  /// Creates a pipe; nil if the system has no descriptors left.
  package init?() {
    guard let ends = System.makePipe() else { return nil }
    (reading, writing) = ends
  }

  deinit {
    try? System.close(reading)
    try? System.close(writing)
  }

  /// Wakes the waiting thread, or ends its next wait.
  ///
  /// A signal handler may call this method.
  package func wake() { System.wake(writing) }

  /// Clears earlier calls of `wake`.
  package func drain() { System.drain(reading) }
}

extension System {
  /// Opens substitutes for missing descriptors 0 to 2, and returns whether standard output was
  /// missing.
  ///
  /// Otherwise the next opened file would get such a number, and all printed text would be written
  /// to it. The substitutes can be neither read nor written, so that attempts return errors.
  package static func fillStandardDescriptors() -> Bool {
    var isOutputMissing = false
    for descriptor in [standardInput, standardOutput, standardError]
    where (try? status(of: descriptor)) == nil {
      if descriptor == standardOutput { isOutputMissing = true }
      // The system assigns the lowest free number, and all lower numbers are in use.
      _ = try? open("/dev/null", for: descriptor == standardInput ? .writing : .reading)
    }
    return isOutputMissing
  }

  /// The maximum number of open file descriptors of this program.
  package static var descriptorLimit: Int {
    var limits = rlimit()
    guard unsafe getrlimit(descriptorResource, &limits) == 0 else { return 256 }
    return Int(clamping: limits.rlim_cur)
  }

  /// Raises the number of file descriptors to the hard limit, and returns the resulting limit.
  @discardableResult
  package static func raiseDescriptorLimit() -> Int {
    var limits = rlimit()
    guard unsafe getrlimit(descriptorResource, &limits) == 0 else { return descriptorLimit }
    var most = limits.rlim_max
    #if canImport(Darwin)
    // On Apple's systems the hard limit may be infinite, a value that `setrlimit` rejects.
    most = min(most, rlim_t(OPEN_MAX))
    #endif
    if most > limits.rlim_cur {
      limits.rlim_cur = most
      // If this fails, the limit does not change, and the result shows that.
      _ = unsafe setrlimit(descriptorResource, &limits)
    }
    return descriptorLimit
  }

  #if canImport(Glibc)
  private static var descriptorResource: __rlimit_resource_t {
    __rlimit_resource_t(RLIMIT_NOFILE.rawValue)
  }
  #else
  private static var descriptorResource: Int32 { RLIMIT_NOFILE }
  #endif
}

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
