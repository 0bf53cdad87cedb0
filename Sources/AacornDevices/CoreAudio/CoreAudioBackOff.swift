/// The schedule of retries for a missing device, with exponential backoff.
///
/// Every retry may activate a session, which can be audible and can interrupt other apps. The
/// system usually reports a device that returns; then ``CoreAudioControl`` retries immediately.
struct CoreAudioBackOff: Sendable, Equatable {
  /// The shortest wait, in milliseconds, and the maximum number of doublings, for at most 16
  /// seconds.
  private static let minDelayMilliseconds = 250
  private static let maxDoublingCount = 6

  /// The number of failed retries, counted until the wait stops growing.
  private var retryCount = 0

  /// The wait before the next retry, in milliseconds.
  var milliseconds: Int { Self.minDelayMilliseconds << max(0, retryCount - 1) }

  /// Records a failed retry.
  mutating func lengthen() {
    retryCount = min(retryCount + 1, Self.maxDoublingCount + 1)
  }

  /// Restarts the schedule, because devices or circumstances have changed.
  mutating func reset() {
    retryCount = 0
  }
}
