/// A playlist, parsed line by line (RFC 8216, 4.1).
package struct HLSPlaylistText: Sendable {
  package struct Part: Equatable, Sendable {
    package var name: String
    package var duration: Double
  }

  /// A segment with the tags that apply to it.
  ///
  /// A segment without a name is incomplete.
  package struct Segment: Sendable {
    package var name: String?
    package var durationText = ""
    package var isDiscontinuous = false
    /// Whether EXT-X-GAP marks the segment.
    package var isGap = false
    package var map: String?
    package var dateText: String?
    package var parts: [Part] = []
    package var hasDate: Bool { dateText != nil }
    package var duration: Double? { Double(durationText) }
    /// The time in seconds since the start of 1970.
    package var date: Double? { dateText.flatMap(HLSPlaylistText.seconds) }
  }

  /// A variant of a master playlist: its attributes and the URI on the next line.
  package struct Variant: Sendable {
    package var attributes: [String: String]
    package var uri: String
  }

  package private(set) var faults: [String] = []
  package private(set) var version: Int?
  package private(set) var targetDuration: Int?
  package private(set) var mediaSequence: Int?
  package private(set) var discontinuitySequence: Int?
  package private(set) var type: String?
  package private(set) var isEnded = false
  package private(set) var partTarget: Double?
  package private(set) var serverControl: [String: String] = [:]
  package private(set) var hint: String?
  package private(set) var renditionReports: [[String: String]] = []
  package private(set) var segments: [Segment] = []
  package private(set) var variants: [Variant] = []
  /// Tags that are valid only in a media playlist.
  package private(set) var mediaTags: [String] = []

  /// The names of complete segments.
  package var segmentNames: [String] { segments.compactMap(\.name) }

  /// The files that must exist when a server publishes this playlist.
  package var files: [String] {
    segments.flatMap { segment in
      segment.parts.map(\.name) + [segment.name, segment.map].compactMap(\.self)
    }
  }

  /// Parses the text of a playlist.
  package init(_ text: String) {
    // Splits by bytes, because the playlists of long streams have millions of lines.
    let lines = text.utf8.split(separator: UInt8(ascii: "\n"), omittingEmptySubsequences: false)
      .map { String(Substring($0)) }
    if lines.first != "#EXTM3U" { faults.append("does not begin with #EXTM3U") }
    if text.utf8.contains(UInt8(ascii: "\r")) || !text.hasSuffix("\n") {
      faults.append("ends of lines")
    }
    var current = Segment()
    var hasContent = false
    var map: String?
    var variant: [String: String]?
    var seen = Set<String>()
    for line in lines.dropFirst() where !line.isEmpty {
      if isEnded { faults.append("something after the end") }
      guard line.hasPrefix("#") else {
        if let attributes = variant {
          variants.append(Variant(attributes: attributes, uri: line))
          variant = nil
          continue
        }
        if current.durationText.isEmpty { faults.append("\(line) has no EXTINF") }
        current.name = line
        current.map = map
        segments.append(current)
        current = Segment()
        hasContent = false
        continue
      }
      let (tag, value) = Self.halves(line, at: ":") ?? (line, "")
      if !seen.insert(tag).inserted && !Self.repeatableTags.contains(tag) {
        faults.append("\(tag) twice")
      }
      if !Self.tagsForBoth.contains(tag) { mediaTags.append(tag) }
      switch tag {
      case "#EXT-X-VERSION": version = number(value, tag)
      case "#EXT-X-TARGETDURATION": targetDuration = number(value, tag)
      case "#EXT-X-MEDIA-SEQUENCE":
        mediaSequence = number(value, tag)
        if hasContent || !segments.isEmpty { faults.append("\(tag) after a segment") }
      case "#EXT-X-DISCONTINUITY-SEQUENCE":
        discontinuitySequence = number(value, tag)
        if hasContent || !segments.isEmpty { faults.append("\(tag) after a segment") }
      case "#EXT-X-PLAYLIST-TYPE": type = value
      case "#EXT-X-INDEPENDENT-SEGMENTS": break
      case "#EXT-X-ENDLIST": isEnded = true
      case "#EXT-X-STREAM-INF": variant = attributes(value)
      case "#EXT-X-SERVER-CONTROL": serverControl = attributes(value)
      case "#EXT-X-PART-INF": partTarget = attributes(value)["PART-TARGET"].flatMap { Double($0) }
      case "#EXT-X-PRELOAD-HINT":
        let attributes = attributes(value)
        if attributes["TYPE"] != "PART" { faults.append("a hint at no part") }
        hint = unquoted(attributes["URI"])
      case "#EXT-X-RENDITION-REPORT": renditionReports.append(attributes(value))
      case "#EXT-X-MAP": map = unquoted(attributes(value)["URI"])
      case "#EXT-X-DISCONTINUITY":
        if !current.parts.isEmpty { faults.append("a discontinuity within a segment") }
        current.isDiscontinuous = true
        hasContent = true
      case "#EXT-X-GAP":
        current.isGap = true
        hasContent = true
      case "#EXT-X-PROGRAM-DATE-TIME":
        if !current.parts.isEmpty { faults.append("a date after parts") }
        current.dateText = value
        hasContent = true
      case "#EXT-X-PART":
        let attributes = attributes(value)
        current.parts.append(
          Part(
            name: unquoted(attributes["URI"]),
            duration: attributes["DURATION"].flatMap { Double($0) } ?? -1))
        hasContent = true
      case "#EXTINF":
        guard let comma = value.firstIndex(of: ",") else {
          faults.append("EXTINF without a comma")
          continue
        }
        current.durationText = String(value[..<comma])
      default: faults.append("unknown \(tag)")
      }
    }
    if hasContent {
      if current.parts.isEmpty || !current.durationText.isEmpty { faults.append("cut short") }
      current.map = map
      segments.append(current)
    }
  }

  private static let repeatableTags: Set = [
    "#EXTINF", "#EXT-X-MAP", "#EXT-X-DISCONTINUITY", "#EXT-X-GAP", "#EXT-X-PROGRAM-DATE-TIME",
    "#EXT-X-PART", "#EXT-X-RENDITION-REPORT", "#EXT-X-STREAM-INF",
  ]
  private static let tagsForBoth: Set = [
    "#EXT-X-VERSION", "#EXT-X-INDEPENDENT-SEGMENTS", "#EXT-X-STREAM-INF",
  ]

  /// Returns the text before and after the first `separator`, or nil.
  private static func halves(
    _ text: String, at separator: Unicode.Scalar
  ) -> (String, String)? {
    guard let index = text.unicodeScalars.firstIndex(of: separator) else { return nil }
    let next = text.unicodeScalars.index(after: index)
    return (String(text[..<index]), String(text[next...]))
  }

  private mutating func number(_ text: String, _ tag: String) -> Int? {
    guard let number = Int(text), number >= 0 else {
      faults.append("\(tag) \(text)")
      return nil
    }
    return number
  }

  private mutating func unquoted(_ text: String?) -> String {
    guard let text, text.count > 2, text.hasPrefix("\""), text.hasSuffix("\"") else {
      faults.append("\(text ?? "nothing") in the place of a quoted name")
      return ""
    }
    return String(text.dropFirst().dropLast())
  }

  /// Parses an attribute list such as `A=1,B="x,y"` (4.2).
  private mutating func attributes(_ text: String) -> [String: String] {
    var isQuoted = false
    let pieces = text.utf8.split(omittingEmptySubsequences: false) { byte in
      if byte == UInt8(ascii: "\"") { isQuoted.toggle() }
      return byte == UInt8(ascii: ",") && !isQuoted
    }
    var attributes: [String: String] = [:]
    for piece in pieces {
      let sides = Self.halves(String(Substring(piece)), at: "=")
      if sides == nil || attributes.updateValue(sides?.1 ?? "", forKey: sides?.0 ?? "") != nil {
        faults.append("attributes \(text)")
      }
    }
    return attributes
  }

  /// Returns the seconds of a date such as `2026-11-20T10:00:00.123Z`, counted from the start of
  /// its month, or nil if the text has another form.
  private static func seconds(_ text: String) -> Double? {
    let halves = text.split(separator: "T").map(String.init)
    guard halves.count == 2, halves[1].hasSuffix("Z") else { return nil }
    let days = halves[0].split(separator: "-").compactMap { Int($0) }
    let times = halves[1].dropLast().split(separator: ":").compactMap { Double($0) }
    guard days.count == 3, times.count == 3 else { return nil }
    // The days since 1970. Years begin in March, so that a leap day is the last one.
    let (year, month) = days[1] > 2 ? (days[0], days[1] - 3) : (days[0] - 1, days[1] + 9)
    let day =
      days[2] + (153 * month + 2) / 5 + 365 * year + year / 4 - year / 100 + year / 400 - 719_469
    return Double(day) * 86_400 + times[0] * 3600 + times[1] * 60 + times[2]
  }
}
