#if canImport(Glibc)
import Glibc
#elseif canImport(Musl)
import Musl
#elseif canImport(Darwin)
import Darwin
#endif

extension System {
  /// Sleeps until the monotonic clock `nanoseconds` reaches `deadline`, or a signal arrives.
  ///
  /// With an absolute time, the delays of many short sleeps do not add up.
  package static func sleep(until deadline: Int64) {
    if let thread = SimulatedThread.current { return thread.world.sleep(until: deadline) }
    #if canImport(Darwin)
    let rest = deadline - nanoseconds
    guard rest > 0 else { return }
    var time = timespec(
      tv_sec: Int(rest / 1_000_000_000), tv_nsec: Int(rest % 1_000_000_000))
    _ = unsafe nanosleep(&time, nil)
    #else
    guard deadline > 0 else { return }
    var time = timespec()
    time.tv_sec = numericCast(deadline / 1_000_000_000)
    time.tv_nsec = numericCast(deadline % 1_000_000_000)
    _ = unsafe clock_nanosleep(CLOCK_MONOTONIC, TIMER_ABSTIME, &time, nil)
    #endif
  }
}
