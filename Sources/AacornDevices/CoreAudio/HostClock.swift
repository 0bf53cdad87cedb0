#if canImport(AudioToolbox)
import Darwin
import AacornSystem
#endif

/// The clock of Apple's device timestamps: ticks since the machine started, excluding sleep.
struct HostClock: Sendable {
  /// Nanoseconds in `denominator` ticks.
  let numerator: UInt32
  /// Ticks in `numerator` nanoseconds; not 0.
  let denominator: UInt32

  /// Creates a clock with `numerator` nanoseconds in `denominator` ticks; an invalid 0 means 1.
  init(numerator: UInt32, denominator: UInt32) {
    self.numerator = max(1, numerator)
    self.denominator = max(1, denominator)
  }

  /// Returns the duration of this many ticks, clamped to the largest value that fits.
  func nanoseconds(ticks: UInt64) -> Int64 {
    // The product of a 64-bit and a 32-bit number may need 96 bits.
    let product = ticks.multipliedFullWidth(by: UInt64(numerator))
    guard product.high < UInt64(denominator) else { return .max }
    return Int64(clamping: UInt64(denominator).dividingFullWidth(product).quotient)
  }

  /// Returns the time from one tick to another; negative if the second is earlier.
  func nanoseconds(from start: UInt64, to end: UInt64) -> Int64 {
    end >= start ? nanoseconds(ticks: end - start) : -nanoseconds(ticks: start - end)
  }
}

#if canImport(AudioToolbox)
extension HostClock {
  /// Creates the clock of this machine.
  init() {
    var base = mach_timebase_info()
    guard unsafe mach_timebase_info(&base) == KERN_SUCCESS else {
      self.init(numerator: 1, denominator: 1)
      return
    }
    self.init(numerator: base.numer, denominator: base.denom)
  }

  /// Converts a host time to the monotonic clock, in nanoseconds.
  ///
  /// The two clocks differ by sleep time and network corrections, so the host time's age is
  /// measured again each time.
  func monotonicTime(of hostTime: UInt64) -> Int64 {
    let age = nanoseconds(from: hostTime, to: mach_absolute_time())
    return System.nanoseconds - age
  }
}

/// The clock of device timestamps for other modules.
package enum HostTime {
  /// Converts a time of the monotonic clock to the host's clock, both in nanoseconds.
  package static func nanoseconds(of monotonicTime: Int64) -> Int64 {
    HostClock().nanoseconds(ticks: mach_absolute_time()) - (System.nanoseconds - monotonicTime)
  }

  /// Converts a time of the host's clock in ticks to the monotonic clock in nanoseconds.
  package static func monotonicTime(of ticks: UInt64) -> Int64 {
    HostClock().monotonicTime(of: ticks)
  }
}
#endif
