/// The text of a media playlist in parts, of which shorter and longer texts can be made.
struct HLSPlaylistParts: Sendable {
  /// A segment that is listed.
  struct Segment: Sendable {
    /// Its name.
    var name = ""
    /// The initialization section that it needs.
    var map: String?
    /// Whether there is a discontinuity before it.
    var isDiscontinuous = false
    /// Its duration in seconds.
    var duration = 0.0
    /// The other lines before its name.
    var lines = ""
  }

  /// The media sequence number of the first segment.
  private(set) var number = 0
  /// The segments.
  private(set) var segments: [Segment] = []
  /// Whether it is one that never changes (RFC 8216, 4.3.3.5).
  private(set) var isOnDemand = false
  private var discontinuityNumber = 0
  private var head: [String] = []
  private var tail = ""

  /// Takes a text apart; an empty one lists nothing.
  init(_ text: String = "") {
    var segment = Segment()
    // By bytes, since events have thousands of lines.
    for bytes in text.utf8.split(separator: UInt8(ascii: "\n")) {
      let line = String(Substring(bytes))
      let colon = line.utf8.firstIndex(of: UInt8(ascii: ":"))
      let value = colon.map { line[line.utf8.index(after: $0)...] } ?? ""
      switch line[..<(colon ?? line.endIndex)] {
      case "#EXT-X-DISCONTINUITY": segment.isDiscontinuous = true
      case "#EXT-X-MAP": segment.map = String(value.dropFirst("URI=\"".count).dropLast())
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
        segment = Segment(map: segment.map)
      }
    }
  }

  /// The text that lists the first `count` segments, and before them some that have left the
  /// playlist; what is not there is marked as missing.
  func text(
    count: Int, after departed: some Collection<Segment>, isThere: (Segment) -> Bool
  ) -> String {
    var text = ""
    for line in head {
      // Both numbers are those of the first segment that is listed (RFC 8216, 4.3.3.2 and 4.3.3.3).
      if line.hasPrefix("#EXT-X-MEDIA-SEQUENCE:") {
        text += "#EXT-X-MEDIA-SEQUENCE:\(number - departed.count)\n"
      } else if line.hasPrefix("#EXT-X-DISCONTINUITY-SEQUENCE:") {
        let removed = discontinuityNumber - departed.count { $0.isDiscontinuous }
        text += "#EXT-X-DISCONTINUITY-SEQUENCE:\(removed)\n"
      } else {
        text += line + "\n"
      }
    }
    var map: String?
    for segment in Array(departed) + segments[..<count] {
      if segment.isDiscontinuous { text += "#EXT-X-DISCONTINUITY\n" }
      if let name = segment.map, name != map { text += "#EXT-X-MAP:URI=\"\(name)\"\n" }
      map = segment.map
      text += segment.lines + (isThere(segment) ? "" : "#EXT-X-GAP\n") + segment.name + "\n"
    }
    return count < segments.count ? text : text + tail
  }
}
