#if canImport(Glibc)
import Glibc
#elseif canImport(Musl)
import Musl
#elseif canImport(Darwin)
@preconcurrency @unsafe import Darwin
#endif

/// A semaphore to wake a thread from a thread that must never block, such as an audio thread.
///
/// The counter is in the kernel (POSIX `sem_t`, a Mach semaphore on Apple's systems).
@safe
package final class Semaphore: @unchecked Sendable {
  // Unchecked because the compiler cannot see that the kernel orders the calls below; nothing
  // else touches the memory between `init` and `deinit`.

  #if canImport(Darwin)
  private var handle = semaphore_t()
  #else
  private let handle: UnsafeMutablePointer<sem_t>
  #endif

  package init() {
    #if canImport(Darwin)
    _ = unsafe semaphore_create(mach_task_self_, &handle, SYNC_POLICY_FIFO, 0)
    #else
    unsafe handle = .allocate(capacity: 1)
    _ = unsafe sem_init(handle, 0, 0)
    #endif
  }

  deinit {
    #if canImport(Darwin)
    _ = semaphore_destroy(mach_task_self_, handle)
    #else
    _ = unsafe sem_destroy(handle)
    unsafe handle.deallocate()
    #endif
  }

  /// Wakes the waiting thread, or the next one to wait.
  package func signal() {
    #if canImport(Darwin)
    _ = semaphore_signal(handle)
    #else
    _ = unsafe sem_post(handle)
    #endif
    SimulatedThread.current?.world.pass(.signal)
  }

  /// Waits for a signal for at most `milliseconds`; returns false on timeout.
  package func wait(milliseconds: Int) -> Bool {
    if let world = SimulatedThread.current?.world {
      let deadline = world.deadline(after: max(0, milliseconds))
      while !take() {
        guard world.wait(for: .wait, until: deadline, { take(andReturn: true) }) else {
          return take()
        }
      }
      return true
    }
    // Limit the wait to 24 days, because systems may count it in 32 bits.
    let milliseconds = min(max(0, milliseconds), Int(Int32.max))
    #if canImport(Darwin)
    let time = mach_timespec_t(
      tv_sec: UInt32(milliseconds / 1000), tv_nsec: Int32(milliseconds % 1000 * 1_000_000))
    while true {
      let code = semaphore_timedwait(handle, time)
      // An unrelated signal interrupted the wait, so repeat it.
      if code != KERN_ABORTED { return code == KERN_SUCCESS }
    }
    #else
    if let wait = unsafe Self.clockWait {
      // A monotonic clock, so clock changes do not affect the wait.
      var time = Self.time(after: milliseconds, of: CLOCK_MONOTONIC)
      while unsafe wait(handle, CLOCK_MONOTONIC, &time) != 0 {
        // An unrelated signal interrupted the wait, so repeat it.
        if errno != EINTR { return false }
      }
      return true
    }
    // Other C libraries can wait only by the wall clock. If the wall clock is set, a wait is
    // shorter or longer, which callers must tolerate.
    var time = Self.time(after: milliseconds, of: CLOCK_REALTIME)
    while unsafe sem_timedwait(handle, &time) != 0 {
      if errno != EINTR { return false }
    }
    return true
    #endif
  }

  /// Consumes a signal if there is one, without waiting; returns whether there was one.
  ///
  /// With `andReturn`, the signal remains for the next call.
  private func take(andReturn: Bool = false) -> Bool {
    #if canImport(Darwin)
    let isTaken = semaphore_timedwait(handle, mach_timespec_t()) == KERN_SUCCESS
    if isTaken && andReturn { _ = semaphore_signal(handle) }
    #else
    let isTaken = unsafe sem_trywait(handle) == 0
    if isTaken && andReturn { _ = unsafe sem_post(handle) }
    #endif
    return isTaken
  }

  #if !canImport(Darwin)
  private typealias ClockWait =
    @convention(c) (
      UnsafeMutablePointer<sem_t>, clockid_t, UnsafePointer<timespec>
    ) -> Int32

  /// `sem_clockwait`, in the GNU C library since 2.30, which its headers hide from Swift.
  private static let clockWait: ClockWait? = {
    // The thread sanitizer does not know this function, and would report races where a semaphore
    // prevents them.
    guard !System.hasThreadSanitizer,
      let function = unsafe dlsym(nil, "sem_clockwait")
    else { return nil }
    return unsafe unsafeBitCast(function, to: ClockWait.self)
  }()

  private static func time(after milliseconds: Int, of clock: clockid_t) -> timespec {
    var time = timespec()
    unsafe clock_gettime(clock, &time)
    time.tv_sec += milliseconds / 1000
    time.tv_nsec += milliseconds % 1000 * 1_000_000
    if time.tv_nsec >= 1_000_000_000 {
      time.tv_nsec -= 1_000_000_000
      time.tv_sec += 1
    }
    return time
  }
  #endif
}
