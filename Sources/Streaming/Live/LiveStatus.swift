/// How a connection is doing.
public enum LiveState: Sendable, Equatable {
  /// No sound has come yet.
  case ready
  /// The first attempt to connect.
  case connecting
  /// Frames flow.
  case live
  /// The connection is lost and is being opened again: why, and which attempt it is, from 1.
  case reconnecting(StreamingError, attempt: Int)
  /// The end that was asked for.
  case stopped
  /// It cannot go on.
  case failed(StreamingError)
}

/// How a connection is doing, at an instant.
public struct LiveStatus: Sendable, Equatable {
  /// Its state.
  public var state = LiveState.ready
  /// Frames handed to the system for sending.
  public var sentFrameCount = 0
  /// Bytes of them, with what the protocol adds.
  public var sentByteCount = 0
  /// Frames that were dropped because the queue was full, or that were on the way when a
  /// connection broke and could not be sent whole.
  public var droppedFrameCount = 0
  /// Frames that wait.
  public var queuedFrameCount = 0
  /// How long they last, in milliseconds.
  public var queuedMilliseconds = 0
  /// How often a connection was lost and opened anew.
  public var reconnectCount = 0

  /// Nothing has happened.
  public init() {}
}
