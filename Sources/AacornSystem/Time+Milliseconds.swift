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
