/// A change of the bitrate by a network, or rather by how servers keep up.
public struct BitrateChange: Sendable, Equatable {
  /// Why a bitrate changes.
  public enum Reason: String, Sendable, CaseIterable {
    /// More and more sound waited to be sent.
    case queueGrew = "queue-grew"
    /// Sound was dropped because it had waited too long.
    case framesDropped = "frames-dropped"
    /// For some time, nothing has had to wait.
    case queueEmpty = "queue-empty"
  }

  /// The bits per second until now.
  public var from: Int
  /// Those from now on.
  public var to: Int
  /// Why.
  public var because: Reason

  /// A change with its reason.
  public init(from: Int, to: Int, because reason: Reason) {
    self.from = from
    self.to = to
    because = reason
  }
}
