#if os(Linux)
import AacornSystem

extension Semaphore {
  /// Waits for a signal until a time of the clock that never jumps; false if none came.
  ///
  /// It waits again and again, since the wall clock may be set meanwhile, by which some C libraries
  /// wait.
  func wait(until deadline: Int64) -> Bool {
    while true {
      let rest = deadline - System.nanoseconds
      if wait(milliseconds: Int(max(0, rest) / 1_000_000)) { return true }
      if rest <= 0 { return false }
    }
  }
}
#endif
