#if os(Linux)
import AacornSystem

extension Semaphore {
  /// Waits for a signal until a time of the monotonic clock; returns false on timeout.
  ///
  /// It waits repeatedly, because some C libraries wait by the wall clock, which may be set during
  /// the wait.
  func wait(until deadline: Int64) -> Bool {
    while true {
      let rest = deadline - System.nanoseconds
      if wait(milliseconds: Int(max(0, rest) / 1_000_000)) { return true }
      if rest <= 0 { return false }
    }
  }
}
#endif
