public import AacornNetwork
import AacornRecording

/// The state of a connection to a server.
public typealias LiveState = OutputState<NetworkError>

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
  /// The number of frames handed to the system for sending, without frames known to be lost; 0 for
  /// an upload.
  ///
  /// When a connection breaks, frames that the server's system has not acknowledged return to the
  /// queue, and this count decreases. It is not known whether the server has read the acknowledged
  /// bytes.
  public var sentFrameCount = 0
  /// The number of frames that returned to the queue; 0 for an upload.
  ///
  /// Together with `sentFrameCount` it is the number of all frames ever handed over.
  ///
  /// In HE-AAC a new connection begins with a frame at which a decoder can start. Up to half a
  /// second of the frames may therefore have arrived before.
  public var returnedFrameCount = 0
  /// The number of bytes handed to the system, including protocol overhead, handshakes, and frames
  /// and files sent again.
  public var sentByteCount = 0
  /// The number of frames dropped because they waited too long, or because the stream ended; 0 for
  /// an upload.
  ///
  /// Frames in transit when a connection broke are sent again and do not count, unless they become
  /// too old.
  public var droppedFrameCount = 0
  /// The number of waiting frames; 0 for an upload.
  public var queuedFrameCount = 0
  /// The duration of the waiting audio, which is approximate for an upload.
  public var queuedDuration = Duration.zero
  /// The number of segments of all renditions that the server has confirmed; 0 unless HLS is
  /// uploaded.
  public var sentSegmentCount = 0
  /// The number of dropped segments of all renditions; 0 unless HLS is uploaded.
  ///
  /// A segment is dropped if it leaves the playlist while it waits, if too many bytes wait, or if
  /// the server rejects it.
  public var droppedSegmentCount = 0
  /// The number of waiting segments; 0 unless HLS is uploaded.
  public var queuedSegmentCount = 0
  /// The number of times the connection was lost and reopened.
  public var reconnectCount = 0
  /// The reason why the server did not receive the metadata; nil after it did, and for an upload.
  ///
  /// The metadata is sent again at growing intervals.
  public var metadataError: NetworkError?
  /// The reason why old files stay on the server although they should be removed; nil otherwise.
  public var removalError: NetworkError?

  /// Creates the initial status.
  public init() {}
}
