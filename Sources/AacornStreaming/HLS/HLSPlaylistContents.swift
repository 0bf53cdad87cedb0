/// What is in a playlist, for stores that serve or keep it.
public struct HLSPlaylistContents: Sendable, Equatable {
  /// How far it reaches; in a playlist of playlists, how far these do.
  public var edge: HLSEdge
  /// The names of the complete segments that it lists, or of the playlists.
  public var names: [String]
  /// `EXT-X-TARGETDURATION`; nil in a playlist of playlists.
  public var targetDuration: Duration?
  /// `PART-TARGET` of `EXT-X-PART-INF`; nil if it lists no parts.
  public var partTarget: Duration?
  /// The number of parts listed for the last complete segment.
  public var lastSegmentPartCount: Int
  /// The name of the part that is announced (`EXT-X-PRELOAD-HINT`); nil if none is.
  public var nextPart: String?

  /// Creates contents.
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

/// How far a media playlist reaches.
public struct HLSEdge: Sendable, Equatable {
  /// The media sequence number of the last complete segment; before the first one, its number less
  /// 1.
  public var segment: Int
  /// The number of available parts of the next segment.
  public var partCount: Int
  /// Whether nothing will follow (`EXT-X-ENDLIST`).
  public var isComplete: Bool

  /// Creates an edge.
  public init(segment: Int, partCount: Int = 0, isComplete: Bool = false) {
    self.segment = segment
    self.partCount = partCount
    self.isComplete = isComplete
  }
}
