import AacornSystem

/// The close timeout of an output: the wait ends when the output makes no progress for that time.
///
/// Polls are counted rather than timed, because a clock keeps running while the process is stopped.
struct OutputPatience {
  /// The number of polls per timeout.
  static let lookCount = 20
  private var handledCount: Int
  private var idleCount = 0

  /// Starts with the number of messages that the output has handled.
  init(handledCount: Int) { self.handledCount = handledCount }

  /// Returns the milliseconds between two polls.
  static func pause(of patience: Duration) -> Int {
    max(1, min(patience.millisecondsToWait, 86_400_000) / lookCount)
  }

  /// Updates the progress; returns true if there has been none for the whole timeout.
  mutating func isOver(handledCount now: Int) -> Bool {
    if now != handledCount {
      handledCount = now
      idleCount = 0
      return false
    }
    idleCount += 1
    return idleCount >= Self.lookCount
  }
}
