import AacornSystem

/// A point in time on the monotonic clock.
package struct Deadline {
  private let time: Int64

  /// Creates a deadline that is `wait` from now.
  package init(after wait: Duration) { time = System.nanoseconds + wait.nanoseconds }

  /// The remaining time; zero once the deadline has passed.
  package var remaining: Duration { .nanoseconds(max(0, time - System.nanoseconds)) }

  /// Whether the deadline has passed.
  package var hasPassed: Bool { time <= System.nanoseconds }
}
