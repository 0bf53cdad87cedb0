/// The time limits of a live output.
public struct LiveOptions: Sendable, Equatable {
  /// How long connecting may take, including certificate checks.
  public var connectTimeout: Duration = .seconds(10)
  /// How long the server may accept nothing before the connection counts as lost.
  public var stallTimeout: Duration = .seconds(10)
  /// How much audio may be queued; beyond that the oldest whole frames are dropped.
  public var queueDuration: Duration = .seconds(10)
  /// How long to wait before the first attempt to reconnect; every further wait is twice as long as
  /// the previous one.
  public var firstDelay: Duration = .milliseconds(500)
  /// The longest such wait.
  public var longestDelay: Duration = .seconds(30)
  /// How long a connection must last before the attempts are counted from the start again.
  public var stableDuration: Duration = .seconds(60)
  /// How many attempts to reconnect may fail in a row; nil for any number.
  public var attemptLimit: Int?
  /// How long queued frames may still be sent at the end.
  public var drainTimeout: Duration = .seconds(3)
  /// How long to wait, at first, before resending a title that could not be sent.
  var metadataDelay: Duration = .seconds(5)

  /// Creates options with the values above.
  public init() {}
}
