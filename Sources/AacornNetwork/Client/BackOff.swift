import AacornSystem

/// The delays between attempts to reconnect.
///
/// Every delay is twice as long as the previous one, plus or minus a random quarter, up to a limit.
/// The limit can be lower at first, because most outages are short.
/// The randomness prevents all listeners and sources from returning to a restarted server at the
/// same time.
package struct BackOff: Sendable {
  private let first: Int
  private let longest: Int
  /// The limit of the first delays, and the sum of delays up to which it applies; in milliseconds.
  private let early: (longest: Int, sum: Int)
  private var delay: Int
  /// The sum of the delays since the last stable connection, in milliseconds.
  private var sum = 0
  /// Numbers that are good enough to spread attempts over time.
  private var numbers: SplitMix64
  /// The number of attempts since the last stable connection.
  package private(set) var attemptCount = 0

  /// Creates delays that start at `first` and end at `longest`, randomized by a seed or the time.
  ///
  /// In the first `earlyTime`, the delays are at most `earlyLongest`.
  package init(
    first: Duration, longest: Duration, earlyLongest: Duration = .zero, earlyTime: Duration = .zero,
    seed: UInt64? = nil
  ) {
    self.longest = max(0, longest.milliseconds)
    early = (min(max(0, earlyLongest.milliseconds), self.longest), max(0, earlyTime.milliseconds))
    self.first = min(max(0, first.milliseconds), self.longest)
    numbers = SplitMix64(seed: seed ?? UInt64(bitPattern: System.nanoseconds))
    delay = self.first
  }

  /// Counts an attempt, and returns the delay before it, in milliseconds.
  package mutating func next() -> Int {
    let limit = sum < early.sum ? early.longest : longest
    attemptCount += 1
    let next = min(limit, delay * numbers.integer(in: 75...125) / 100)
    delay = min(delay * 2, limit)
    sum += next
    return next
  }

  /// Restarts at the first delay.
  package mutating func reset() {
    attemptCount = 0
    delay = first
    sum = 0
  }
}
