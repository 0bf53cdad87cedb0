/// The parsed text of a media playlist, from which shorter and longer texts can be composed.
struct HLSPlaylistParts: Sendable {
  /// A listed segment.
  struct Segment: Sendable {
    /// The file name.
    var name = ""
    /// The name of the initialization section that the segment needs.
    var initializationName: String?
    /// Whether a discontinuity precedes the segment.
    var isDiscontinuous = false
    /// The duration in seconds.
    var duration = 0.0
    /// The other lines before the file name.
    var lines = ""
  }

  /// The media sequence number of the first segment.
  private(set) var number = 0
  private(set) var segments: [Segment] = []
  /// Whether the playlist never changes (type VOD; RFC 8216, 4.3.3.5).
  private(set) var isOnDemand = false
  private var discontinuityNumber = 0
  private var head: [String] = []
  private var tail = ""

  /// Parses a text.
  ///
  /// An empty text lists no segments.
  init(_ text: String = "") {
    var segment = Segment()
    // The text is split as bytes for speed: events have thousands of lines.
    for bytes in text.utf8.split(separator: UInt8(ascii: "\n")) {
      let line = String(Substring(bytes))
      let colon = line.utf8.firstIndex(of: UInt8(ascii: ":"))
      let value = colon.map { line[line.utf8.index(after: $0)...] } ?? ""
      switch line[..<(colon ?? line.endIndex)] {
      case "#EXT-X-DISCONTINUITY": segment.isDiscontinuous = true
      case "#EXT-X-MAP":
        segment.initializationName = String(value.dropFirst("URI=\"".count).dropLast())
      case "#EXT-X-PROGRAM-DATE-TIME": segment.lines += line + "\n"
      case "#EXTINF":
        segment.duration = Double(value.prefix { $0 != "," }) ?? 0
        segment.lines += line + "\n"
      case "#EXT-X-ENDLIST": tail = line + "\n"
      case "#EXT-X-MEDIA-SEQUENCE":
        number = Int(value) ?? 0
        head.append(line)
      case "#EXT-X-DISCONTINUITY-SEQUENCE":
        discontinuityNumber = Int(value) ?? 0
        head.append(line)
      case "#EXT-X-PLAYLIST-TYPE":
        isOnDemand = value == "VOD"
        head.append(line)
      case let tag where tag.hasPrefix("#"): head.append(line)
      default:
        segment.name = line
        segments.append(segment)
        segment = Segment(initializationName: segment.initializationName)
      }
    }
  }

  /// Returns a text that lists the segments in `expired`, which have left the playlist, and the
  /// first `count` segments.
  ///
  /// Segments that are not on the server are marked as missing.
  func text(
    count: Int, after expired: some Collection<Segment>, isPresent: (Segment) -> Bool
  ) -> String {
    var text = ""
    for line in head {
      // Both numbers refer to the first listed segment (RFC 8216, 4.3.3.2 and 4.3.3.3).
      if line.hasPrefix("#EXT-X-MEDIA-SEQUENCE:") {
        text += "#EXT-X-MEDIA-SEQUENCE:\(number - expired.count)\n"
      } else if line.hasPrefix("#EXT-X-DISCONTINUITY-SEQUENCE:") {
        let removed = discontinuityNumber - expired.count { $0.isDiscontinuous }
        text += "#EXT-X-DISCONTINUITY-SEQUENCE:\(removed)\n"
      } else {
        text += line + "\n"
      }
    }
    var initializationName: String?
    for segment in Array(expired) + segments[..<count] {
      if segment.isDiscontinuous { text += "#EXT-X-DISCONTINUITY\n" }
      if let name = segment.initializationName, name != initializationName {
        text += "#EXT-X-MAP:URI=\"\(name)\"\n"
      }
      initializationName = segment.initializationName
      text += segment.lines + (isPresent(segment) ? "" : "#EXT-X-GAP\n") + segment.name + "\n"
    }
    return count < segments.count ? text : text + tail
  }
}
