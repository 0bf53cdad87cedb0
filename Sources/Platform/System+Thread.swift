#if canImport(Glibc)
import Glibc
#elseif canImport(Musl)
import Musl
#elseif canImport(Darwin)
import Darwin
#endif

extension System {
  /// Runs something on a thread that nobody waits for; false if the system has no thread left.
  ///
  /// For work that may hang in a call of the system: a program can go on without it.
  package static func startThread(_ run: @escaping @Sendable () -> Void) -> Bool {
    let body = unsafe Unmanaged.passRetained(ThreadBody(run)).toOpaque()
    #if canImport(Darwin)
    var handle: pthread_t?
    let result = unsafe pthread_create(&handle, nil, { unsafe ThreadBody.run($0) }, body)
    if let handle = unsafe handle { _ = unsafe pthread_detach(handle) }
    #else
    var handle = pthread_t()
    let result = unsafe pthread_create(&handle, nil, { unsafe ThreadBody.run($0) }, body)
    if result == 0 { _ = pthread_detach(handle) }
    #endif
    if result != 0 { unsafe Unmanaged<ThreadBody>.fromOpaque(body).release() }
    return result == 0
  }
}

/// What a new thread gets to run.
private final class ThreadBody {
  private let body: @Sendable () -> Void

  init(_ body: @escaping @Sendable () -> Void) {
    self.body = body
  }

  static func run(_ pointer: UnsafeMutableRawPointer?) -> UnsafeMutableRawPointer? {
    guard let pointer = unsafe pointer else { return nil }
    unsafe Unmanaged<ThreadBody>.fromOpaque(pointer).takeRetainedValue().body()
    return nil
  }
}
