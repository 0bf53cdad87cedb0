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

/// A playlist on a server, with the summary that the server needs.
struct PublishedPlaylist: Sendable {
  let bytes: [UInt8]
  let contents: HLSPlaylistContents

  init(_ text: String, _ contents: HLSPlaylistContents) {
    bytes = Array(text.utf8)
    self.contents = contents
  }

  /// The live edge of the playlist.
  var edge: HLSEdge { contents.edge }

  /// Whether the playlist is a media playlist that has ended.
  var isEnded: Bool { edge.isComplete && contents.targetDuration != nil }

  /// Whether any player can start with the playlist: it lists playlists or three segments, or it
  /// has ended.
  ///
  /// Players start three target durations before the end (RFC 8216 6.3.3), and some consider a
  /// shorter playlist, or one with only parts, broken.
  var isPlayable: Bool {
    edge.isComplete || contents.names.count >= (contents.targetDuration == nil ? 1 : 3)
  }

  /// Returns whether the playlist announces a part with this name.
  func hints(at name: String) -> Bool { !edge.isComplete && contents.nextPart == name }

  /// Returns whether the playlist contains a segment, a part of the segment, or a later one (RFC
  /// 8216bis 6.2.5.2).
  func reaches(segment: Int, part: Int?) -> Bool {
    if edge.isComplete || edge.segment > segment { return true }
    guard let part else { return edge.segment == segment }
    if edge.segment == segment {
      // A part after the last one of a segment is the first one of the next segment.
      let count = contents.lastSegmentPartCount
      return part < count || count == 0 || edge.partCount > 0
    }
    return edge.segment + 1 == segment && part < edge.partCount
  }

  /// Returns whether a segment or part is so far ahead that a request for it is an error (RFC
  /// 8216bis 6.2.5.2).
  func isTooFar(segment: Int, part: Int?) -> Bool {
    if edge.isComplete { return false }
    if segment > edge.segment + 2 { return true }
    guard let part, segment == edge.segment + 1 else { return false }
    // No part is shorter than a frame, so smaller targets are ignored.
    guard let target = contents.partTarget, target > .milliseconds(1), target < .seconds(1) else {
      return part >= edge.partCount + 3
    }
    let ahead = Duration.seconds(3) / target
    return part >= edge.partCount + Int(ahead.rounded(.up))
  }
}
