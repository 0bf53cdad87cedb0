import AacornSystem

/// The delays between attempts to reconnect.
///
/// Every delay is twice as long as the previous one, plus or minus a random quarter, up to a limit.
/// The randomness prevents all listeners and sources from returning to a restarted server at the
/// same time.
package struct BackOff: Sendable {
  private let first: Int
  private let longest: Int
  private var delay: Int
  /// Numbers that are good enough to spread attempts over time.
  private var numbers: SplitMix64
  /// The number of attempts since the last stable connection.
  package private(set) var attemptCount = 0

  /// Creates delays that start at `first` and end at `longest`, randomized by a seed or the time.
  package init(first: Duration, longest: Duration, seed: UInt64? = nil) {
    self.longest = max(0, longest.milliseconds)
    self.first = min(max(0, first.milliseconds), self.longest)
    numbers = SplitMix64(seed: seed ?? UInt64(bitPattern: System.nanoseconds))
    delay = self.first
  }

  /// Counts an attempt, and returns the delay before it, in milliseconds.
  package mutating func next() -> Int {
    defer { delay = min(delay * 2, longest) }
    attemptCount += 1
    return min(longest, delay * numbers.integer(in: 75...125) / 100)
  }

  /// Restarts at the first delay.
  package mutating func reset() {
    attemptCount = 0
    delay = first
  }
}
