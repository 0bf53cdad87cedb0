/// The schedule of retries for a missing device, with exponential backoff.
///
/// Every retry may activate a session, which costs other apps something and can be audible. The
/// system usually notifies of a device that returns; the control then retries immediately.
struct CoreAudioBackOff: Sendable, Equatable {
  /// The shortest wait, in milliseconds, and the maximum number of doublings: 16 seconds in all.
  private static let shortest = 250
  private static let mostDoublings = 6

  /// The number of failed retries, up to the limit that matters.
  private var lookCount = 0

  /// The wait before the next retry, in milliseconds.
  var milliseconds: Int { Self.shortest << max(0, lookCount - 1) }

  /// Records a failed retry.
  mutating func lengthen() {
    lookCount = min(lookCount + 1, Self.mostDoublings + 1)
  }

  /// Restarts the schedule, because devices or circumstances have changed.
  mutating func reset() {
    lookCount = 0
  }
}
