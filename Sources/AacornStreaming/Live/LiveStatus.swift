public import AacornNetwork
import AacornRecording

/// The state of a connection.
public enum LiveState: Sendable, Equatable {
  /// No audio has been received yet.
  case ready
  /// The first connection is being opened.
  case connecting
  /// The server receives frames.
  case live
  /// The connection was lost and is being reopened.
  ///
  /// The values are the reason, and the number of the attempt, from 1.
  case reconnecting(NetworkError, attempt: Int)
  /// The connection has ended as requested.
  case stopped
  /// The connection cannot continue: because of an error at the first connection that retrying
  /// cannot fix, after too many attempts, or because the end came before the server had accepted
  /// any audio.
  ///
  /// After the connection was live, the only permanent error is a missing library on this machine:
  /// a rejection may be temporary then.
  case failed(NetworkError)

  /// Whether the state is final.
  var isLast: Bool {
    switch self {
    case .stopped, .failed: true
    case .ready, .connecting, .live, .reconnecting: false
    }
  }

  /// The error that ended the connection; nil if it can continue.
  var failure: OutputError? {
    guard case .failed(let error) = self else { return nil }
    return OutputError(.connection, error.message)
  }

  /// Enters a state, unless the current state is final or equal.
  ///
  /// Returns whether the state changed.
  mutating func enter(_ state: LiveState) -> Bool {
    if isLast || self == state { return false }
    self = state
    return true
  }
}

/// A snapshot of the status of a connection.
public struct LiveStatus: Sendable, Equatable {
  /// The state of the connection.
  public var state = LiveState.ready
  /// The number of frames handed to the system for sending, without frames known to be lost.
  ///
  /// When a connection breaks, frames that the server's system has not acknowledged return to the
  /// queue, and this count decreases. It is not known whether the server has read the acknowledged
  /// bytes.
  public var sentFrameCount = 0
  /// The number of frames that returned to the queue.
  ///
  /// Together with `sentFrameCount` it is the number of all frames ever handed over.
  ///
  /// In HE-AAC a new connection begins with a frame at which a decoder can start. Up to half a
  /// second of the frames may therefore have arrived before.
  public var returnedFrameCount = 0
  /// The number of bytes handed to the system, including protocol overhead, handshakes and frames
  /// sent again.
  public var sentByteCount = 0
  /// The number of frames dropped because they waited too long, or because the stream ended.
  ///
  /// Frames in transit when a connection broke are sent again and do not count, unless they become
  /// too old.
  public var droppedFrameCount = 0
  /// The number of waiting frames.
  public var queuedFrameCount = 0
  /// The duration of the waiting frames.
  public var queuedDuration = Duration.zero
  /// The number of times the connection was lost and reopened.
  public var reconnectCount = 0
  /// The reason why the server did not receive the metadata; nil after it did.
  ///
  /// The metadata is sent again at growing intervals.
  public var metadataError: NetworkError?

  /// Creates the initial status.
  public init() {}
}
