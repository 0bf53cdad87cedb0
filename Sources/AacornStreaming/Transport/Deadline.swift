import AacornSystem

/// An instant to wait for, on the clock that never jumps.
struct Deadline {
  private let time: Int64

  /// Creates a deadline this time from now.
  init(after wait: Duration) { time = System.nanoseconds + wait.nanoseconds }

  /// The time up to it; none once it has passed.
  var rest: Duration { .nanoseconds(max(0, time - System.nanoseconds)) }

  /// Whether it has passed.
  var isOver: Bool { time <= System.nanoseconds }
}
