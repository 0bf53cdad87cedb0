// The name of this file sorts after the files that import the C library. If an optimizing compiler
// reads a file without imports first, it assigns the C library's types to another module.

/// Durations as integers, for clocks and system calls.
///
/// All values are limited to about thirty years, so that the sum with a clock's time fits in 64
/// bits.
extension Duration {
  private static let maxNanoseconds: Int64 = 1_000_000_000_000_000_000

  /// The duration in whole nanoseconds, rounded toward zero.
  package var nanoseconds: Int64 {
    if self >= .nanoseconds(Self.maxNanoseconds) { return Self.maxNanoseconds }
    if self <= .nanoseconds(-Self.maxNanoseconds) { return -Self.maxNanoseconds }
    let (seconds, attoseconds) = components
    return seconds * 1_000_000_000 + attoseconds / 1_000_000_000
  }

  /// The duration in whole milliseconds, rounded toward zero.
  package var milliseconds: Int { Int(nanoseconds / 1_000_000) }

  /// The duration in milliseconds, rounded up so that a short wait does not become 0; 0 if
  /// negative.
  package var millisecondsToWait: Int { Int((max(0, nanoseconds) + 999_999) / 1_000_000) }
}

extension System {
  /// Returns the duration of frames in nanoseconds, rounded toward zero; 0 without a rate.
  ///
  /// The division is split so that the product does not overflow after some days.
  package static func nanoseconds(ofFrames count: Int64, at sampleRate: Int) -> Int64 {
    if sampleRate <= 0 { return 0 }
    let (seconds, rest) = count.quotientAndRemainder(dividingBy: Int64(sampleRate))
    return seconds * 1_000_000_000 + rest * 1_000_000_000 / Int64(sampleRate)
  }
}

extension Duration {
  /// The greatest sample rate for which the products here fit in an integer.
  private static let highestRate = 1 << 30

  /// Returns the number of whole samples in this duration; 0 for a negative duration.
  ///
  /// The duration may have been rounded to nanoseconds: a sample that ends less than half a
  /// nanosecond later counts.
  package func sampleCount(at sampleRate: Int) -> Int {
    let (seconds, attoseconds) = components
    guard seconds >= 0, attoseconds >= 0 else { return 0 }
    let sampleRate = min(max(0, sampleRate), Self.highestRate)
    let (whole, isTooLong) = Int(clamping: seconds).multipliedReportingOverflow(by: sampleRate)
    let halfNanoseconds = Int(attoseconds / 500_000_000) + 1
    let rest = halfNanoseconds * sampleRate / 2_000_000_000
    return isTooLong || whole > Int.max - rest ? .max : whole + rest
  }

  /// Creates the duration of samples in whole nanoseconds, rounded so that `sampleCount` returns
  /// the same number.
  package init(samples: Int, at sampleRate: Int) {
    let rate = min(max(1, sampleRate), Self.highestRate)
    let (seconds, rest) = samples.quotientAndRemainder(dividingBy: rate)
    self = .seconds(seconds) + .nanoseconds((rest * 1_000_000_000 + rate - 1) / rate)
  }
}
