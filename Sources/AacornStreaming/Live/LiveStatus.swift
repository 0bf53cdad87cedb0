public import AacornNetwork
import AacornRecording

/// The state of a connection to a server.
public typealias LiveState = OutputState<NetworkError>

/// The state of an output.
public enum OutputState<Problem: Sendable & Equatable>: Sendable, Equatable {
  /// No audio has been received yet.
  case ready
  /// The first connection is being opened.
  case connecting
  /// The output receives audio.
  case live
  /// The connection was lost and is being reopened.
  ///
  /// The values are the reason, and the number of the attempt, from 1.
  case reconnecting(Problem, attempt: Int)
  /// The output has ended as requested.
  case stopped
  /// The output cannot continue.
  ///
  /// A connection fails because of an error at the first connection that retrying cannot fix, after
  /// too many attempts, or because the end came before the server had accepted any audio. After the
  /// connection was live, the only permanent error is a missing library on this machine: a
  /// rejection may be temporary then.
  case failed(Problem)

  /// The state as one word, for programs.
  package var keyword: String {
    switch self {
    case .ready: "ready"
    case .connecting: "connecting"
    case .live: "live"
    case .reconnecting: "reconnecting"
    case .stopped: "stopped"
    case .failed: "failed"
    }
  }

  /// The words of all states.
  package static var keywords: [String] {
    ["ready", "connecting", "live", "reconnecting", "stopped", "failed"]
  }

  /// The reason for the state; nil if no problem occurred.
  package var problem: Problem? {
    switch self {
    case .reconnecting(let problem, _), .failed(let problem): problem
    case .ready, .connecting, .live, .stopped: nil
    }
  }

  /// The number of attempts to reconnect.
  package var attempt: Int {
    if case .reconnecting(_, let attempt) = self { attempt } else { 0 }
  }

  /// The problem that ended the output; nil if it can continue.
  package var failure: Problem? {
    if case .failed(let problem) = self { problem } else { nil }
  }

  /// Whether the state is final.
  var isLast: Bool { self == .stopped || failure != nil }

  /// Returns the state with another description of its problem.
  func map<Other>(_ transform: (Problem) -> Other) -> OutputState<Other> {
    switch self {
    case .ready: .ready
    case .connecting: .connecting
    case .live: .live
    case .reconnecting(let problem, let attempt):
      .reconnecting(transform(problem), attempt: attempt)
    case .stopped: .stopped
    case .failed(let problem): .failed(transform(problem))
    }
  }

  /// Enters a state, unless the current state is final or equal.
  ///
  /// Returns whether the state changed.
  mutating func enter(_ state: Self) -> Bool {
    if isLast || self == state { return false }
    self = state
    return true
  }
}

extension LiveState {
  /// The error that ended the connection; nil if it can continue.
  var outputFailure: OutputError? { failure.map { OutputError(.connection, $0.message) } }
}

/// A snapshot of the status of a connection, to which an output sends frames or uploads HLS.
public struct LiveStatus: Sendable, Equatable {
  /// The state of the connection.
  ///
  /// An upload is live once the server has confirmed a file.
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
  /// The number of bytes handed to the system, including protocol overhead, handshakes, and frames
  /// and files sent again.
  public var sentByteCount = 0
  /// The number of frames dropped because they waited too long, or because the stream ended.
  ///
  /// Frames in transit when a connection broke are sent again and do not count, unless they become
  /// too old.
  public var droppedFrameCount = 0
  /// The number of waiting frames.
  public var queuedFrameCount = 0
  /// The duration of the waiting audio, which is approximate for an upload.
  public var queuedDuration = Duration.zero
  /// The number of segments of all renditions that the server has confirmed.
  public var sentSegmentCount = 0
  /// The number of dropped segments of all renditions.
  ///
  /// A segment is dropped if it leaves the playlist while it waits, if too many bytes wait, or if
  /// the server rejects it.
  public var droppedSegmentCount = 0
  /// The number of waiting segments.
  public var queuedSegmentCount = 0
  /// The number of times the connection was lost and reopened.
  public var reconnectCount = 0
  /// The reason why the server did not receive the metadata; nil after it did.
  ///
  /// The metadata is sent again at growing intervals.
  public var metadataError: NetworkError?
  /// The reason why old files stay on the server although they should be removed; nil otherwise.
  public var removalError: NetworkError?

  /// Creates the initial status.
  public init() {}
}
