/// The head of a server's answer: status line and headers (RFC 9112, 4).
struct ServerAnswer: Equatable {
  /// The result of reading so far.
  enum Reading: Equatable {
    /// The beginning of an answer, or nothing.
    case incomplete
    /// Something that no such server sends.
    case foreign
    /// A complete head.
    case complete(ServerAnswer)
  }

  /// The three-digit status code.
  var status: Int
  /// The words after them.
  var reason: String
  /// Bytes that follow the head, if it says so.
  var contentLength: Int?
  /// Whether they come in chunks, the last of which is empty (RFC 9112, 7.1).
  var isChunked = false
  /// Whether the connection can carry another request, once everything has been read.
  var keepsConnection: Bool
  /// The length of the head in bytes, including the empty line.
  var length: Int

  /// More than any server sends before the empty line.
  private static let longest = 16_384
  /// Possible beginnings of a status line: servers vary in their answers to SOURCE.
  private static let openings = ["HTTP/", "ICE/", "ICY "].map { Array($0.utf8) }

  /// Reads an answer that may be incomplete; line ends may lack the carriage return.
  static func read(_ bytes: [UInt8]) -> Reading {
    let isKnown = openings.contains { opening in
      zip(opening, bytes).allSatisfy { $0 == $1 }
    }
    guard isKnown else { return .foreign }
    var lines: [Substring] = []
    var start = 0
    for (index, byte) in bytes.enumerated() where byte == UInt8(ascii: "\n") {
      var line = bytes[start..<index]
      if line.last == UInt8(ascii: "\r") { line.removeLast() }
      if line.isEmpty {
        let answer = ServerAnswer(lines, length: index + 1)
        return answer.map(Reading.complete) ?? .foreign
      }
      lines.append(Substring(decoding: line, as: UTF8.self))
      start = index + 1
    }
    return bytes.count < longest ? .incomplete : .foreign
  }

  /// Nil if the first line has no status, or the others contradict one another about the length: where
  /// the answer ends is then anybody's guess (RFC 9112, 6.3).
  private init?(_ lines: [Substring], length: Int) {
    let words = lines.first?.split(separator: " ", maxSplits: 2) ?? []
    guard words.count >= 2, let status = Int(words[1]), (100...999).contains(status) else {
      return nil
    }
    self.status = status
    self.length = length
    reason = words.count > 2 ? String(words[2]) : ""
    keepsConnection = words[0] == "HTTP/1.1"
    var lengths: Set<Int?> = []
    for line in lines.dropFirst() {
      let parts = line.split(separator: ":", maxSplits: 1)
      guard parts.count == 2 else { continue }
      let value = parts[1].filter { $0 != " " && $0 != "\t" }
      switch parts[0].lowercased() {
      case "content-length": lengths.formUnion(value.split(separator: ",").map { Int($0) })
      case "connection":
        if value.lowercased().split(separator: ",").contains("close") { keepsConnection = false }
      case "transfer-encoding":
        isChunked = value.lowercased() == "chunked"
        if !isChunked { keepsConnection = false }
      default: break
      }
    }
    if lengths.count > 1 { return nil }
    contentLength = lengths.first ?? nil
  }
}
