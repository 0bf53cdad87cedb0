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
