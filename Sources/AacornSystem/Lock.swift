#if canImport(Glibc)
import Glibc
#elseif canImport(Musl)
import Musl
#elseif canImport(Darwin)
import Darwin
#endif

/// A value that one thread at a time may touch; the only lock of this package.
///
/// The standard library's `Mutex` does the same, but on Linux it is built on futexes, of which the
/// thread sanitizer knows nothing: it reports every use as a race. It does know the system's own
/// lock.
@safe
package final class Lock<Value>: @unchecked Sendable {
  // Unchecked because of the pointers; the lock orders every access to the value.

  private let mutex: UnsafeMutablePointer<pthread_mutex_t>
  private let value: UnsafeMutablePointer<Value>

  /// A lock around a value.
  package init(_ value: sending Value) {
    unsafe mutex = .allocate(capacity: 1)
    unsafe mutex.initialize(to: pthread_mutex_t())
    _ = unsafe pthread_mutex_init(mutex, nil)
    unsafe self.value = .allocate(capacity: 1)
    unsafe self.value.initialize(to: value)
  }

  deinit {
    _ = unsafe pthread_mutex_destroy(mutex)
    unsafe mutex.deallocate()
    unsafe value.deinitialize(count: 1)
    unsafe value.deallocate()
  }

  /// Calls `body` with the value while no other thread has it.
  package func withLock<Result, Failure: Error>(
    _ body: (inout Value) throws(Failure) -> Result
  ) throws(Failure) -> Result {
    _ = unsafe pthread_mutex_lock(mutex)
    defer { _ = unsafe pthread_mutex_unlock(mutex) }
    return try unsafe body(&value.pointee)
  }
}
