/// The head of a server's response: status line and headers (RFC 9112, 4).
package struct ServerResponse: Equatable {
  /// The result of parsing received bytes.
  package enum Reading: Equatable {
    /// The beginning of a response, or no bytes.
    case incomplete
    /// Bytes that no supported server sends.
    case foreign
    /// A complete head.
    case complete(ServerResponse)
  }

  /// The three-digit status code.
  package var status: Int
  /// The reason phrase after the status code.
  package var reason: String
  /// The length of the body in bytes; nil if it is not declared.
  package var contentLength: Int?
  /// The first value of each header, by its name in lower case.
  package private(set) var headers: [String: String] = [:]
  /// Whether the body has chunked encoding, whose last chunk is empty (RFC 9112, 7.1).
  package var isChunked = false
  /// Whether the connection can be used for another request after the whole response is read.
  package var keepsConnection: Bool
  /// The length of the head in bytes, including the empty line.
  package var length: Int

  /// The maximum length of a head in bytes.
  ///
  /// Servers send less.
  static let maxByteCount = 65_536
  /// The possible beginnings of a status line: servers differ in their responses to SOURCE.
  private static let openings = ["HTTP/", "ICE/", "ICY "].map { Array($0.utf8) }

  /// Parses a response that may be incomplete.
  ///
  /// Line breaks with and without a carriage return are accepted.
  package static func read(_ bytes: [UInt8]) -> Reading {
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
        let answer = ServerResponse(lines, length: index + 1)
        return answer.map(Reading.complete) ?? .foreign
      }
      lines.append(Substring(decoding: line, as: UTF8.self))
      start = index + 1
    }
    return bytes.count < maxByteCount ? .incomplete : .foreign
  }

  /// Parses the lines of a head.
  ///
  /// Returns nil if the first line has no status, or if lengths contradict each other, because the
  /// end of the response is unknown then (RFC 9112, 6.3).
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
      let parts = line.split(separator: ":", maxSplits: 1, omittingEmptySubsequences: false)
      guard parts.count == 2 else { continue }
      let name = parts[0].lowercased()
      if headers[name] == nil { headers[name] = Self.trimmed(parts[1]) }
      let value = parts[1].filter { $0 != " " && $0 != "\t" }
      switch name {
      case "content-length": lengths.formUnion(value.split(separator: ",").map { Int($0) })
      case "connection":
        if value.lowercased().split(separator: ",").contains("close") { keepsConnection = false }
      case "transfer-encoding":
        isChunked = value.lowercased().hasSuffix("chunked")
        if value.lowercased() != "chunked" { keepsConnection = false }
      default: break
      }
    }
    if lengths.count > 1 { return nil }
    guard let count = lengths.first ?? nil else { return }
    contentLength = max(0, count)
    if count < 0 { keepsConnection = false }
  }

  private static func trimmed(_ text: Substring) -> String {
    let isBlank: (Character) -> Bool = { $0 == " " || $0 == "\t" }
    let start = text.drop(while: isBlank)
    return String(start.reversed().drop(while: isBlank).reversed())
  }
}

extension ServerResponse {
  /// The result of waiting for the final response.
  package enum Arrival {
    case final(ServerResponse)
    /// Only an interim response arrived in time, such as “100 Continue”.
    case interim
    /// No response arrived in time.
    case missing
    /// Bytes arrived that no supported server sends.
    case foreign
  }

  /// Receives the head of the final response, and removes it from the received bytes.
  ///
  /// After an interim response, `interimTimeout` replaces the deadline.
  package static func receive(
    into inbox: inout [UInt8], over transport: inout any ByteTransport, until deadline: Deadline,
    interimTimeout: Duration? = nil
  ) throws(NetworkError) -> Arrival {
    var deadline = deadline
    var hasInterim = false
    while true {
      switch read(inbox) {
      case .foreign: return .foreign
      case .complete(let answer):
        inbox.removeFirst(answer.length)
        if answer.status >= 200 { return .final(answer) }
        if !hasInterim, let interimTimeout { deadline = Deadline(after: interimTimeout) }
        hasInterim = true
      case .incomplete:
        let time = deadline.remaining
        if time > .zero, try transport.receive(into: &inbox, within: time) { continue }
        return hasInterim ? .interim : .missing
      }
    }
  }
}

/// Builds requests to servers.
package enum ServerRequest {
  /// Returns the head of a request (RFC 9112, 3 and 5), with the credentials of HTTP basic
  /// authentication (RFC 7617, 2), if any, and more header lines.
  package static func head(
    _ requestLine: String, host: String, credentials: String? = nil, userAgent: String,
    _ headers: [String]
  ) -> [UInt8] {
    var lines = [requestLine, "Host: \(SanitizedLine.of(host))"]
    if let credentials { lines.append("Authorization: Basic \(credentials)") }
    lines.append("User-Agent: \(SanitizedLine.of(userAgent))")
    return Array(((lines + headers).joined(separator: "\r\n") + "\r\n\r\n").utf8)
  }
}
