import AacornNetwork

/// A server's response with audio: the head, and the body without titles.
///
///     bytes ─► ServerResponseReader ─► titles ─► body
///
/// Icecast servers and similar ones insert a title into the audio at regular intervals, if the
/// client requests it.
struct HTTPResponseParser {
  private var reader = ServerResponseReader()
  /// The newest title; nil after it was returned.
  private var newTitle: String?
  /// The number of audio bytes between titles; 0 without titles.
  private var interval = 0
  private var untilTitle = 0
  /// The length of the incomplete title in bytes; nil outside of titles.
  private var titleCount: Int?
  private var title: [UInt8] = []

  /// The accepted intervals between titles in bytes.
  ///
  /// With shorter intervals, titles would be too large a share of the data.
  private static let intervals = 256...1 << 24

  /// The status code; nil until the head is complete.
  var status: Int? { reader.head?.status }

  // The properties of the reader.
  var isFinished: Bool { reader.isFinished }
  var isComplete: Bool { reader.isComplete }
  var bodyCount: Int? { reader.bodyCount }

  /// Whether the response is a live stream, which has no end.
  var isLive: Bool {
    bodyCount == nil
      && reader.head?.headers.keys.contains { $0.hasPrefix("icy-") || $0 == "ice-audio-info" }
        == true
  }

  /// The byte rate of a live stream in bytes per second, if the head states it.
  var byteRate: Int? {
    guard let text = header("icy-br"), let rate = Int(text.prefix { $0.isNumber }),
      (1...10_000).contains(rate)
    else { return nil }
    return rate * 125
  }

  /// Returns the first value of a header.
  ///
  /// The name must be in lower case.
  func header(_ name: String) -> String? { reader.head?.headers[name] }

  /// The offset of the body in the complete resource, and the size of the resource, if the head
  /// states them.
  var part: (start: Int, total: Int?)? {
    guard let text = header("content-range")?.lowercased(), text.hasPrefix("bytes ") else {
      return nil
    }
    let sides = text.dropFirst(6).split(separator: "/", maxSplits: 1)
    guard let range = sides.first, let start = Int(range.prefix { $0 != "-" }), start >= 0 else {
      return nil
    }
    return (start, sides.count == 2 ? Int(sides[1]) : nil)
  }

  /// The size of the complete audio file in bytes, if the head states it.
  var soundByteCount: Int? { status == 206 ? part?.total : bodyCount }

  /// The unsupported format of the audio, if the server states one, such as `MP3 (audio/mpeg)`.
  ///
  /// Nil for AAC and unknown formats.
  var foreignCoding: String? {
    guard let text = header("content-type")?.lowercased() else { return nil }
    let type = String(text.prefix { $0 != ";" && $0 != " " && $0 != "\t" })
    switch type {
    case "audio/mpeg", "audio/mp3", "audio/mpeg3", "audio/x-mpeg": return "MP3 (\(type))"
    case "application/ogg", "audio/ogg", "audio/vorbis", "audio/opus": return "Ogg (\(type))"
    case "audio/flac", "audio/x-flac": return "FLAC (\(type))"
    case "audio/x-ms-wma", "video/x-ms-asf": return "Windows Media (\(type))"
    default:
      // The supported formats have many media types, so a part of the type decides.
      let known = ["aac", "mp4", "m4a", "3gp", "wav", "aif", "caf"]
      return type.hasPrefix("audio/") && !known.contains { type.contains($0) } ? type : nil
    }
  }

  /// Returns the newest title once.
  mutating func takeTitle() -> String? { newTitle.take() }

  /// Processes bytes, and appends the bytes of the body.
  ///
  /// Returns false if the bytes are not a response, or the head is too long.
  mutating func push(_ bytes: [UInt8], into body: inout [UInt8]) -> Bool {
    let hadHead = reader.head != nil
    var received: [UInt8] = []
    let isValid = reader.push(bytes, into: &received)
    if !hadHead, let text = header("icy-metaint"), let number = Int(text),
      Self.intervals.contains(number)
    {
      interval = number
      untilTitle = number
    }
    appendBody(received, into: &body)
    return isValid
  }

  // MARK: Titles

  private mutating func appendBody(_ bytes: [UInt8], into body: inout [UInt8]) {
    if interval == 0 {
      body += bytes
      return
    }
    var rest = bytes[...]
    while let first = rest.first {
      if let count = titleCount {
        let part = rest.prefix(count - title.count)
        title += part
        rest = rest.dropFirst(part.count)
        if title.count == count { endTitle() }
      } else if untilTitle == 0 {
        // The length is in units of 16 bytes.
        titleCount = Int(first) * 16
        rest = rest.dropFirst()
        if first == 0 { endTitle() }
      } else {
        let part = rest.prefix(untilTitle)
        body += part
        untilTitle -= part.count
        rest = rest.dropFirst(part.count)
      }
    }
  }

  /// Stores the text between `StreamTitle='` and `';`.
  private mutating func endTitle() {
    let text = String(decoding: title.prefix { $0 != 0 }, as: UTF8.self)
    title = []
    titleCount = nil
    untilTitle = interval
    let mark = "StreamTitle='"
    guard text.hasPrefix(mark) else { return }
    let rest = text.utf8.dropFirst(mark.utf8.count)
    var end = rest.startIndex
    while end < rest.endIndex {
      let next = rest.index(after: end)
      if rest[end] == UInt8(ascii: "'"), next == rest.endIndex || rest[next] == UInt8(ascii: ";") {
        break
      }
      end = next
    }
    newTitle = String(decoding: rest[..<end], as: UTF8.self)
  }
}
