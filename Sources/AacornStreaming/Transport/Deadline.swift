import AacornSystem

/// An instant to wait for, on the clock that never jumps.
struct Deadline {
  private let time: Int64

  /// Creates a deadline this many milliseconds from now.
  init(milliseconds: Int) { time = System.nanoseconds + Int64(milliseconds) * 1_000_000 }

  /// Milliseconds up to it, rounded up; 0 once it has passed.
  var rest: Int { Int(max(0, time - System.nanoseconds + 999_999) / 1_000_000) }

  /// Whether it has passed.
  var isOver: Bool { rest == 0 }
}
