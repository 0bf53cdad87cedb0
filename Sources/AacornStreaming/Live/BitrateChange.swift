/// A change of the bitrate, caused by the throughput of a server.
public struct BitrateChange: Sendable, Equatable {
  /// The reason for a change.
  public enum Reason: String, Sendable, CaseIterable {
    /// The amount of waiting audio has grown.
    case queueGrew = "queue-grew"
    /// Audio was dropped because it had waited too long.
    case framesDropped = "frames-dropped"
    /// The queue has been empty for some time.
    case queueEmpty = "queue-empty"
  }

  /// The previous bitrate in bits per second.
  public var from: Int
  /// The new bitrate in bits per second.
  public var to: Int
  /// The reason for the change.
  public var because: Reason

  /// Creates a change.
  public init(from: Int, to: Int, because reason: Reason) {
    self.from = from
    self.to = to
    because = reason
  }
}
