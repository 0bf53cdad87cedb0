import Darwin
import Glibc
import SimulatedApple

/// Returns the host time in ticks of a phone, so that times of blocks can be derived from it.
@c(mach_absolute_time)
func machAbsoluteTime() -> UInt64 {
  var time = timespec()
  unsafe clock_gettime(CLOCK_MONOTONIC, &time)
  let nanoseconds = UInt64(time.tv_sec) * 1_000_000_000 + UInt64(time.tv_nsec)
  return nanoseconds.multipliedFullWidth(by: 3).low / 125
}

@c(mach_timebase_info)
func machTimebaseInfo(_ information: UnsafeMutablePointer<mach_timebase_info>) -> Int32 {
  unsafe information.pointee = mach_timebase_info(numer: 125, denom: 3)
  return 0
}

/// Resets the whole simulation before a test.
package enum SimulatedSystem {
  package static func reset() {
    SimulatedSound.reset()
    SimulatedUnits.reset()
    SimulatedPhone.reset()
    SimulatedMac.reset()
    SimulatedConverters.reset()
    SimulatedFiles.reset()
    SimulatedTime.begin(at: machAbsoluteTime())
  }
}
