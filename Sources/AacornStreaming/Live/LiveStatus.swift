public import AacornWeb

/// How a connection is doing.
public enum LiveState: Sendable, Equatable {
  /// No sound has come yet.
  case ready
  /// The first attempt to connect.
  case connecting
  /// Frames flow.
  case live
  /// The connection is lost and is being opened again: why, and which attempt it is, from 1.
  case reconnecting(NetworkError, attempt: Int)
  /// The end that was asked for.
  case stopped
  /// It cannot go on: an error that trying again cannot mend at the first connection, or too many
  /// attempts; or the end came before the server had taken any of the sound.
  ///
  /// After it has been live, only a library that is missing on this side ends it: a refusal may
  /// then be a passing one.
  case failed(NetworkError)

  /// Whether nothing follows it.
  var isLast: Bool {
    switch self {
    case .stopped, .failed: true
    case .ready, .connecting, .live, .reconnecting: false
    }
  }
}

/// How a connection is doing, at an instant.
public struct LiveStatus: Sendable, Equatable {
  /// Its state.
  public var state = LiveState.ready
  /// Frames handed to the system for sending, less those that are known not to have arrived.
  ///
  /// When a connection breaks, the frames that the server's system has not acknowledged go back into
  /// the queue, and this count goes back too. What it has acknowledged and the server never read
  /// cannot be known.
  public var sentFrameCount = 0
  /// Frames that went back into the queue; with the count above, how many were ever handed over.
  public var returnedFrameCount = 0
  /// Bytes handed to the system, with what the protocol adds, its opening words, and frames that
  /// were sent again.
  public var sentByteCount = 0
  /// Frames that were dropped because they had waited too long, or because it was over.
  ///
  /// Frames that were on the way when a connection broke are sent again and not counted, unless they
  /// grow too old meanwhile.
  public var droppedFrameCount = 0
  /// Frames that wait.
  public var queuedFrameCount = 0
  /// How long they last, in milliseconds.
  public var queuedMilliseconds = 0
  /// How often a connection was lost and opened anew.
  public var reconnectCount = 0
  /// Why the server was not told what is being played; nil once it was.
  ///
  /// It is tried again, later and later.
  public var metadataError: NetworkError?

  /// Nothing has happened.
  public init() {}
}
