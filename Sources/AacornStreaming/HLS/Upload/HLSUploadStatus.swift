public import AacornNetwork

/// A snapshot of the status of an upload.
public struct HLSUploadStatus: Sendable, Equatable {
  /// The state of the connection.
  ///
  /// It is live once the server has confirmed a file.
  public var state = LiveState.ready
  /// The number of segments of all renditions that the server has confirmed.
  public var sentSegmentCount = 0
  /// The number of dropped segments of all renditions.
  ///
  /// A segment is dropped if it leaves the playlist while it waits, if too many bytes wait, or if
  /// the server rejects it.
  public var droppedSegmentCount = 0
  /// The number of bytes handed to the system, including requests, playlists and repeated uploads.
  public var sentByteCount = 0
  /// The number of waiting segments.
  public var queuedSegmentCount = 0
  /// The approximate duration of the waiting audio.
  public var queuedDuration = Duration.zero
  /// The number of times the upload resumed after the server was unavailable.
  public var reconnectCount = 0
  /// The reason why old files stay on the server although they should be removed; nil otherwise.
  public var removalError: NetworkError?

  /// Creates the initial status.
  public init() {}
}
