/// The time limits of a live output, all in milliseconds.
public struct LiveOptions: Sendable, Equatable {
  /// How long connecting may take, including certificate checks.
  public var connectMilliseconds = 10_000
  /// How long the server may accept nothing before the connection counts as lost.
  public var stallMilliseconds = 10_000
  /// How much audio may be queued; beyond that the oldest whole frames are dropped.
  public var queueMilliseconds = 10_000
  /// How long to wait before the first attempt to reconnect; every further wait is twice as long as
  /// the previous one.
  public var firstDelayMilliseconds = 500
  /// The longest such wait.
  public var longestDelayMilliseconds = 30_000
  /// How long a connection must last before the attempts are counted from the start again.
  public var stableMilliseconds = 60_000
  /// How many attempts to reconnect may fail in a row; nil for any number.
  public var attemptLimit: Int?
  /// How long queued frames may still be sent at the end.
  public var drainMilliseconds = 3000
  /// How long to wait, at first, before resending a title that could not be sent.
  var metadataDelayMilliseconds = 5000

  /// Creates options with the values above.
  public init() {}
}
