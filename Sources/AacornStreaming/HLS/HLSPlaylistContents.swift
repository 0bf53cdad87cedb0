/// A summary of a playlist, for stores that serve or upload it.
public struct HLSPlaylistContents: Sendable, Equatable {
  /// The live edge of the playlist, or of the listed playlists if it is a master playlist.
  public var edge: HLSEdge
  /// The names of the complete segments in a media playlist, or of the playlists in a master
  /// playlist.
  public var names: [String]
  /// `EXT-X-TARGETDURATION`; nil in a master playlist.
  public var targetDuration: Duration?
  /// `PART-TARGET` of `EXT-X-PART-INF`; nil without parts.
  public var partTarget: Duration?
  /// The number of parts listed for the last complete segment.
  public var lastSegmentPartCount: Int
  /// The name of the announced part (`EXT-X-PRELOAD-HINT`); nil without one.
  public var nextPart: String?

  /// Creates a summary.
  public init(
    edge: HLSEdge, names: [String] = [], targetDuration: Duration? = nil,
    partTarget: Duration? = nil, lastSegmentPartCount: Int = 0, nextPart: String? = nil
  ) {
    self.edge = edge
    self.names = names
    self.targetDuration = targetDuration
    self.partTarget = partTarget
    self.lastSegmentPartCount = lastSegmentPartCount
    self.nextPart = nextPart
  }
}

/// The live edge of a media playlist.
public struct HLSEdge: Sendable, Equatable {
  /// The media sequence number of the last complete segment.
  ///
  /// Before the first segment, it is the number of that segment minus 1.
  public var segment: Int
  /// The number of available parts of the next segment.
  public var partCount: Int
  /// Whether the playlist has ended (`EXT-X-ENDLIST`).
  public var isComplete: Bool

  /// Creates an edge.
  public init(segment: Int, partCount: Int = 0, isComplete: Bool = false) {
    self.segment = segment
    self.partCount = partCount
    self.isComplete = isComplete
  }
}
