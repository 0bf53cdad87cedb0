public import AacornWeb

/// The momentary status of an upload.
public struct HLSUploadStatus: Sendable, Equatable {
  /// The state of the connection, which is live once the server has confirmed a file.
  public var state = LiveState.ready
  /// Segments of all renditions that the server has confirmed.
  public var sentSegmentCount = 0
  /// Segments of all renditions that were given up, because they left the playlist while they
  /// waited, too many bytes waited, or the server did not take them.
  public var droppedSegmentCount = 0
  /// Bytes handed to the system, including requests, playlists and what was sent again.
  public var sentByteCount = 0
  /// Segments that wait.
  public var queuedSegmentCount = 0
  /// About how much sound waits.
  public var queuedDuration = Duration.zero
  /// How often files arrived again after the server had been away.
  public var reconnectCount = 0
  /// Why old files stay on the server although they should be removed; nil if they do not.
  public var removalError: NetworkError?

  /// Creates the initial status.
  public init() {}
}
