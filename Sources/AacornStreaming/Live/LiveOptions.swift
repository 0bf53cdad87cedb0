import AacornNetwork
import AacornSystem

/// The time limits of a live output.
public struct LiveOptions: Sendable, Equatable {
  /// The maximum time for connecting, including certificate checks.
  public var connectTimeout: Duration = .seconds(10)
  /// The time without progress after which the connection counts as lost.
  public var stallTimeout: Duration = .seconds(10)
  /// The maximum duration of queued audio.
  ///
  /// If more audio waits, the oldest frames are dropped.
  public var queueDuration: Duration = .seconds(10)
  /// The delay before the first attempt to reconnect.
  ///
  /// Every further delay is twice as long as the previous one.
  public var initialReconnectDelay: Duration = .milliseconds(500)
  /// The maximum delay between attempts; in the first two minutes of an outage, five seconds.
  public var maxReconnectDelay: Duration = .seconds(30)
  /// The minimum duration of a connection after which the delays start again at
  /// `initialReconnectDelay`.
  public var stableDuration: Duration = .seconds(60)
  /// The maximum number of consecutive failed attempts to reconnect; nil for no limit.
  public var attemptLimit: Int?
  /// The maximum time for sending queued frames at the end.
  public var drainTimeout: Duration = .seconds(3)
  /// The first delay before a title that could not be sent is sent again.
  var metadataDelay: Duration = .seconds(5)

  /// Creates options with the default values.
  public init() {}

  /// Returns the delays between attempts to reconnect, of at most `longest`.
  ///
  /// A restarted server must not wait long for its source, so the delays grow slowly at first.
  func makeBackOff(longest: Duration) -> BackOff {
    BackOff(
      first: initialReconnectDelay, longest: longest, earlyLongest: .seconds(5),
      earlyTime: .seconds(120))
  }

  /// Returns the reason for making no further attempt after `attemptCount` consecutive failures, or
  /// nil to try again.
  ///
  /// Once the server has accepted the stream, an error that otherwise counts as permanent may be
  /// temporary: for example, a placeholder responds while the server restarts, or a wrong clock is
  /// about to be set.
  func end(after failure: NetworkError, attemptCount: Int, wasLive: Bool) -> NetworkError? {
    if failure.kind == .libraryMissing || (failure.isPermanent && !wasLive) { return failure }
    guard let limit = attemptLimit, attemptCount >= limit else { return nil }
    if limit == 0 { return failure }
    let attempts = limit == 1 ? "one attempt" : "\(limit) attempts"
    return NetworkError(
      failure.kind, failure.message + " Gave up after \(attempts) to reconnect.")
  }
}
