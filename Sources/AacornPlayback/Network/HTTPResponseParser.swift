/// An incremental parser for a server's response: the head, and the body without chunk sizes and
/// titles.
///
///     bytes ─► head │ chunks ─► titles ─► body
///
/// Icecast servers and similar ones insert a title into the audio at regular intervals, if the
/// client requests it.
struct HTTPResponseParser {
  /// An error in a response.
  enum Fault: Error, Equatable {
    /// The bytes are not a response, or the head is too long.
    case malformed
  }

  private enum Stage: Equatable {
    case head
    /// All further bytes belong to the body.
    case body
    /// The line with the size of a chunk.
    case size
    /// The remaining number of bytes in the chunk.
    case chunk(Int)
    /// The line end after a chunk.
    case chunkEnd
    case finished
  }

  /// The status code; nil until the head is complete.
  private(set) var status: Int?
  /// The newest title; nil after it was returned.
  private var newTitle: String?
  private var headers: [(name: String, value: String)] = []
  private var stage = Stage.head
  /// The received part of an incomplete head or line.
  private var line: [UInt8] = []
  /// The remaining number of bytes in the body, if the head states its length.
  private var remainingBodyCount: Int?
  /// The number of audio bytes between titles; 0 without titles.
  private var interval = 0
  private var untilTitle = 0
  /// The length of the incomplete title in bytes; nil outside of titles.
  private var titleCount: Int?
  private var title: [UInt8] = []

  private static let headLimit = 65_536
  private static let lineLimit = 1024
  /// The accepted intervals between titles in bytes.
  ///
  /// With shorter intervals, titles would be too large a share of the data.
  private static let intervals = 256...1 << 24

  /// Whether the body has ended.
  ///
  /// Always false for a body that ends with the connection.
  var isFinished: Bool { stage == .finished }

  /// The length of the complete body in bytes, if the head states it.
  private(set) var bodyCount: Int?

  /// Whether the response is a live stream, which has no end.
  var isLive: Bool {
    bodyCount == nil
      && headers.contains { $0.name.hasPrefix("icy-") || $0.name == "ice-audio-info" }
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
  func header(_ name: String) -> String? { headers.first { $0.name == name }?.value }

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
    let type = Self.trimmed(text.prefix { $0 != ";" })
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

  /// Whether the body is complete so far: it has ended, or ends with the connection.
  var isComplete: Bool { stage == .finished || stage == .body && remainingBodyCount == nil }

  /// Returns the newest title once.
  mutating func takeTitle() -> String? { newTitle.take() }

  /// Processes bytes, and appends the bytes of the body.
  mutating func push(_ bytes: [UInt8], into body: inout [UInt8]) throws(Fault) {
    var index = 0
    while index < bytes.count {
      switch stage {
      case .finished: return
      case .head:
        line.append(bytes[index])
        index += 1
        if line.count > Self.headLimit { throw .malformed }
        if hasEmptyLine { try readHead() }
      case .body:
        let count = min(bytes.count - index, remainingBodyCount ?? .max)
        appendBody(bytes[index..<index + count], into: &body)
        index += count
        if let remainingBodyCount {
          self.remainingBodyCount = remainingBodyCount - count
          if remainingBodyCount == count { stage = .finished }
        }
      case .size:
        let byte = bytes[index]
        index += 1
        if byte != 0x0A {
          line.append(byte)
          if line.count > Self.lineLimit { throw .malformed }
          continue
        }
        let count = try chunkSize()
        line = []
        stage = count == 0 ? .finished : .chunk(count)
      case .chunk(let rest):
        let count = min(bytes.count - index, rest)
        appendBody(bytes[index..<index + count], into: &body)
        index += count
        stage = rest == count ? .chunkEnd : .chunk(rest - count)
      case .chunkEnd:
        let byte = bytes[index]
        index += 1
        if byte == 0x0A {
          line = []
          stage = .size
        } else if byte == 0x0D, line.isEmpty {
          line = [byte]
        } else {
          throw .malformed
        }
      }
    }
  }

  // MARK: Head

  /// Whether an empty line was received, with or without carriage returns.
  private var hasEmptyLine: Bool {
    let count = line.count
    guard count >= 2, line[count - 1] == 0x0A else { return false }
    return line[count - 2] == 0x0A
      || count >= 3 && line[count - 2] == 0x0D && line[count - 3] == 0x0A
  }

  private mutating func readHead() throws(Fault) {
    let text = String(decoding: line, as: UTF8.self)
    line = []
    let lines = text.split(whereSeparator: \.isNewline)
    guard let first = lines.first else { throw .malformed }
    let words = first.split(separator: " ", maxSplits: 2)
    guard words.count >= 2, words[0].hasPrefix("HTTP/1.") || words[0] == "ICY",
      let status = Int(words[1]), (100...599).contains(status)
    else { throw .malformed }
    // An interim response only announces the final one.
    if status < 200 { return }
    self.status = status
    for line in lines.dropFirst() {
      guard let colon = line.firstIndex(of: ":") else { continue }
      headers.append((line[..<colon].lowercased(), Self.trimmed(line[line.index(after: colon)...])))
    }
    let length = header("content-length").flatMap { Int($0) }.map { max(0, $0) }
    if header("transfer-encoding")?.lowercased().hasSuffix("chunked") == true {
      stage = .size
    } else {
      bodyCount = length
      remainingBodyCount = length
      stage = length == 0 ? .finished : .body
    }
    if let text = header("icy-metaint"), let number = Int(text), Self.intervals.contains(number) {
      interval = number
      untilTitle = number
    }
  }

  private static func trimmed(_ text: Substring) -> String {
    var text = text
    while text.first == " " || text.first == "\t" { text.removeFirst() }
    while text.last == " " || text.last == "\t" { text.removeLast() }
    return String(text)
  }

  /// Returns the hexadecimal number at the beginning of a chunk's line.
  private func chunkSize() throws(Fault) -> Int {
    let digits = line.prefix { $0 != 0x0D && $0 != UInt8(ascii: ";") && $0 != 0x20 }
    guard (1...8).contains(digits.count),
      let count = Int(String(decoding: digits, as: UTF8.self), radix: 16), count >= 0
    else { throw .malformed }
    return count
  }

  // MARK: Titles

  private mutating func appendBody(_ bytes: ArraySlice<UInt8>, into body: inout [UInt8]) {
    if interval == 0 {
      body += bytes
      return
    }
    var rest = bytes
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
