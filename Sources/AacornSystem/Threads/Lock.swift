#if canImport(Glibc)
import Glibc
#elseif canImport(Musl)
import Musl
#elseif canImport(Darwin)
import Darwin
#endif

/// A mutex around a value; the only lock type of this package.
///
/// The standard library's `Mutex` does the same, but on Linux it uses futexes, which the thread
/// sanitizer does not understand: it reports every use as a race. The thread sanitizer understands
/// the system's own mutex.
@safe
package final class Lock<Value>: @unchecked Sendable {
  // Unchecked because of the pointers; the lock orders every access to the value.

  private let mutex: UnsafeMutablePointer<pthread_mutex_t>
  private let value: UnsafeMutablePointer<Value>

  /// Creates a lock around a value.
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

  /// Calls `body` with exclusive access to the value.
  package func withLock<Result, Failure: Error>(
    _ body: (inout Value) throws(Failure) -> Result
  ) throws(Failure) -> Result {
    if let thread = SimulatedThread.current {
      unsafe Self.lock(mutex, in: thread.world)
    } else {
      _ = unsafe pthread_mutex_lock(mutex)
    }
    defer { _ = unsafe pthread_mutex_unlock(mutex) }
    return try unsafe body(&value.pointee)
  }

  private static func lock(_ mutex: UnsafeMutablePointer<pthread_mutex_t>, in world: any World) {
    world.pass(.lock)
    while unsafe pthread_mutex_trylock(mutex) != 0 {
      _ = world.wait(for: .lock, until: nil) {
        guard unsafe pthread_mutex_trylock(mutex) == 0 else { return false }
        _ = unsafe pthread_mutex_unlock(mutex)
        return true
      }
    }
  }
}
