public import AacornWeb

/// The state of a connection.
public enum LiveState: Sendable, Equatable {
  /// No audio has arrived yet.
  case ready
  /// The first attempt to connect.
  case connecting
  /// Frames flow.
  case live
  /// The connection is lost and is being reopened, with the reason and the attempt's number, from
  /// 1.
  case reconnecting(NetworkError, attempt: Int)
  /// It has ended as requested.
  case stopped
  /// It cannot continue because of an error that retrying cannot fix at the first connection, or
  /// too many attempts, or because the end came before the server had accepted any audio.
  ///
  /// After it has been live, only a missing library on this side ends it: a refusal may then be
  /// temporary.
  case failed(NetworkError)

  /// Whether it is final.
  var isLast: Bool {
    switch self {
    case .stopped, .failed: true
    case .ready, .connecting, .live, .reconnecting: false
    }
  }
}

/// The momentary status of a connection.
public struct LiveStatus: Sendable, Equatable {
  /// Its state.
  public var state = LiveState.ready
  /// Frames handed to the system for sending, less those known not to have arrived.
  ///
  /// When a connection breaks, frames that the server's system has not acknowledged go back into
  /// the queue, and this count decreases. Whether the server read what its system acknowledged
  /// cannot be known.
  public var sentFrameCount = 0
  /// Frames that went back into the queue; added to the count above, all that were ever handed
  /// over.
  ///
  /// In HE-AAC a new connection begins with a frame that a decoder can begin with, so frames of up to
  /// half a second may be among them that did arrive.
  public var returnedFrameCount = 0
  /// Bytes handed to the system, including the protocol's overhead, its handshake, and resent
  /// frames.
  public var sentByteCount = 0
  /// Frames dropped because they had waited too long, or because the stream was over.
  ///
  /// Frames in transit when a connection broke are sent again and not counted, unless they become
  /// too old meanwhile.
  public var droppedFrameCount = 0
  /// Waiting frames.
  public var queuedFrameCount = 0
  /// How long they last.
  public var queuedDuration = Duration.zero
  /// How often a connection was lost and reopened.
  public var reconnectCount = 0
  /// Why the server was not told what is being played; nil once it was.
  ///
  /// It is retried at growing intervals.
  public var metadataError: NetworkError?

  /// Creates the initial status.
  public init() {}
}
