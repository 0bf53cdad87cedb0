// Named so as to come after the files that import the C library: an optimizing compiler that meets a
// file without imports first takes the C library's types for those of another module.

/// A time as an integer, for clocks and for system calls, which know no durations.
///
/// All are cut off at some thirty years, so that their sum with the time of a clock fits.
extension Duration {
  private static let mostNanoseconds: Int64 = 1_000_000_000_000_000_000

  /// Whole nanoseconds, the rest dropped.
  package var nanoseconds: Int64 {
    if self >= .nanoseconds(Self.mostNanoseconds) { return Self.mostNanoseconds }
    if self <= .nanoseconds(-Self.mostNanoseconds) { return -Self.mostNanoseconds }
    let (seconds, attoseconds) = components
    return seconds * 1_000_000_000 + attoseconds / 1_000_000_000
  }

  /// Whole milliseconds, the rest dropped.
  package var milliseconds: Int { Int(nanoseconds / 1_000_000) }

  /// Milliseconds to wait, rounded up, since a short wait must not become none; 0 if negative.
  package var millisecondsToWait: Int { Int((max(0, nanoseconds) + 999_999) / 1_000_000) }
}
