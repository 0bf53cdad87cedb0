import Glibc

/// The audio thread of a unit, which moves a block for each call of `step`.
///
/// The caller waits until the block has been moved, so tests control the time. When `end` returns,
/// the thread makes no more callbacks, as after the stop of a unit.
@safe
final class RenderThread: @unchecked Sendable {
  // Unchecked because of the pointers; the lock serializes every access to the counts.

  private let mutex: UnsafeMutablePointer<pthread_mutex_t>
  private let condition: UnsafeMutablePointer<pthread_cond_t>
  private var thread = pthread_t()
  private var wantedCount = 0
  private var doneCount = 0
  private var isEnding = false
  private let move: @Sendable () -> Void

  init(_ move: @escaping @Sendable () -> Void) {
    self.move = move
    unsafe mutex = .allocate(capacity: 1)
    unsafe mutex.initialize(to: pthread_mutex_t())
    _ = unsafe pthread_mutex_init(mutex, nil)
    unsafe condition = .allocate(capacity: 1)
    unsafe condition.initialize(to: pthread_cond_t())
    _ = unsafe pthread_cond_init(condition, nil)
    let context = unsafe Unmanaged.passRetained(self).toOpaque()
    let status = unsafe pthread_create(
      &thread, nil,
      { context in
        if let context = unsafe context {
          unsafe Unmanaged<RenderThread>.fromOpaque(context).takeRetainedValue().run()
        }
        return nil
      }, context)
    precondition(status == 0)
  }

  deinit {
    _ = unsafe pthread_cond_destroy(condition)
    _ = unsafe pthread_mutex_destroy(mutex)
    unsafe condition.deallocate()
    unsafe mutex.deallocate()
  }

  /// Moves a block, and waits until it has been moved or the thread ends.
  func step() {
    locked {
      wantedCount += 1
      let count = wantedCount
      _ = unsafe pthread_cond_broadcast(condition)
      while doneCount < count && !isEnding { wait() }
    }
  }

  /// Ends the thread.
  ///
  /// Waits for the current block, unless the thread itself is the caller.
  func end() {
    let isFirst = locked {
      defer { isEnding = true }
      _ = unsafe pthread_cond_broadcast(condition)
      return !isEnding
    }
    guard isFirst else { return }
    if pthread_equal(pthread_self(), thread) != 0 {
      pthread_detach(thread)
    } else {
      _ = pthread_join(thread, nil)
    }
  }

  private func run() {
    while true {
      let isWanted = locked {
        while doneCount == wantedCount && !isEnding { wait() }
        return !isEnding
      }
      guard isWanted else { return }
      move()
      locked {
        doneCount += 1
        _ = unsafe pthread_cond_broadcast(condition)
      }
    }
  }

  private func wait() {
    _ = unsafe pthread_cond_wait(condition, mutex)
  }

  private func locked<Result>(_ body: () -> Result) -> Result {
    _ = unsafe pthread_mutex_lock(mutex)
    defer { _ = unsafe pthread_mutex_unlock(mutex) }
    return body()
  }
}
