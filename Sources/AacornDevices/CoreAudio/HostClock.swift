#if canImport(AudioToolbox)
import Darwin
import AacornSystem
#endif

/// The clock that Apple's devices stamp their samples with: ticks since the machine started,
/// without the time it slept.
struct HostClock: Sendable {
  /// Nanoseconds in `denominator` ticks.
  let numerator: UInt32
  /// Ticks in `numerator` nanoseconds; not 0.
  let denominator: UInt32

  /// A clock with so many nanoseconds in so many ticks; a 0, which would be nonsense, means 1.
  init(numerator: UInt32, denominator: UInt32) {
    self.numerator = max(1, numerator)
    self.denominator = max(1, denominator)
  }

  /// How long so many ticks last; the most that fits, if it is more.
  func nanoseconds(ticks: UInt64) -> Int64 {
    // A product of 64 bits would overflow after 28 days, with 125 ns in 3 ticks.
    let product = ticks.multipliedFullWidth(by: UInt64(numerator))
    guard product.high < UInt64(denominator) else { return .max }
    return Int64(clamping: UInt64(denominator).dividingFullWidth(product).quotient)
  }

  /// How long it is from one tick to another; negative if that was before.
  func nanoseconds(from start: UInt64, to end: UInt64) -> Int64 {
    end >= start ? nanoseconds(ticks: end - start) : -nanoseconds(ticks: start - end)
  }
}

#if canImport(AudioToolbox)
extension HostClock {
  /// The clock of this machine.
  init() {
    var base = mach_timebase_info()
    guard unsafe mach_timebase_info(&base) == KERN_SUCCESS else {
      self.init(numerator: 1, denominator: 1)
      return
    }
    self.init(numerator: base.numer, denominator: base.denom)
  }

  /// When a host time was on the monotonic clock, in nanoseconds.
  ///
  /// The two clocks differ by the time that the machine slept and by what the network corrects, so
  /// the age of the host time is taken from the present, each time anew.
  func monotonicTime(of hostTime: UInt64) -> Int64 {
    let age = nanoseconds(from: hostTime, to: mach_absolute_time())
    return System.nanoseconds - age
  }
}
#endif
