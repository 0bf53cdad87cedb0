/// How patient a live output is; all in milliseconds.
public struct LiveOptions: Sendable, Equatable {
  /// How long connecting may take, with certificate checks and all.
  public var connectMilliseconds = 10_000
  /// How long the server may take nothing at all before the connection counts as lost.
  public var stallMilliseconds = 10_000
  /// How much sound may wait; of more than that the oldest whole frames are dropped.
  public var queueMilliseconds = 10_000
  /// How long to wait before the first attempt to connect anew; every further one waits twice as
  /// long as the one before.
  public var firstDelayMilliseconds = 500
  /// The longest that such a wait may become.
  public var longestDelayMilliseconds = 30_000
  /// How long a connection has to last for the attempts to be counted from the start again.
  public var stableMilliseconds = 60_000
  /// How many attempts to connect anew may fail in a row; nil for any number.
  public var attemptLimit: Int?
  /// How long, at the end, what waits may still be sent.
  public var drainMilliseconds = 3000
  /// How long to wait before a title that could not be told is told again, at first.
  var metadataDelayMilliseconds = 5000

  /// The values above.
  public init() {}
}
