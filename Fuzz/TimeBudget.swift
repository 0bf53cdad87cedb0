import Glibc

/// A limit of the processor time for an input, in proportion to its size.
///
/// It finds lists that are searched once for each of their items, long before libFuzzer's timeout.
enum TimeBudget {
  /// The time for work that does not depend on the size of the input, in nanoseconds.
  private static let constant: UInt64 = 100_000_000
  /// The time for each byte of the input, in nanoseconds.
  ///
  /// Parsers take at most 20, and four times as much with the address sanitizer.
  private static let perByte: UInt64 = 200

  /// Runs `work`, and requires that it takes at most the time for `byteCount` bytes.
  ///
  /// Other programs slow the processor down, so work that takes too long has two more attempts.
  static func run(_ byteCount: Int, _ work: () -> Void) {
    let limit = constant + perByte * UInt64(byteCount)
    var minTime = UInt64.max
    for _ in 0..<3 {
      let start = processorTime
      work()
      minTime = min(minTime, processorTime - start)
      if minTime <= limit { return }
    }
    require(false, "\(minTime / 1000) µs for \(byteCount) bytes; the limit is \(limit / 1000) µs")
  }

  /// The processor time of the current thread in nanoseconds.
  private static var processorTime: UInt64 {
    var time = timespec()
    unsafe clock_gettime(CLOCK_THREAD_CPUTIME_ID, &time)
    return UInt64(time.tv_sec) * 1_000_000_000 + UInt64(time.tv_nsec)
  }
}
