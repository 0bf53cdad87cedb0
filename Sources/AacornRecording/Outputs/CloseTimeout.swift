import AacornSystem

/// The close timeout of an output: the wait ends when the output makes no progress for that time.
///
/// Polls are counted rather than timed, because a clock keeps running while the process is stopped.
struct CloseTimeout {
  static let pollCount = 20
  private var handledCount: Int
  private var idleCount = 0

  /// Starts the timeout with the number of messages that the output has handled.
  init(handledCount: Int) { self.handledCount = handledCount }

  /// Returns the milliseconds between two polls.
  static func pause(of timeout: Duration) -> Int {
    max(1, min(timeout.millisecondsToWait, 86_400_000) / pollCount)
  }

  /// Updates the progress; returns whether it has stalled for the whole timeout.
  mutating func hasExpired(handledCount now: Int) -> Bool {
    if now != handledCount {
      handledCount = now
      idleCount = 0
      return false
    }
    idleCount += 1
    return idleCount >= Self.pollCount
  }
}
