import AacornSystem

/// The status line and the headers of a response (RFC 9112 4, 5).
struct HTTPResponseHead {
  /// The method by which the client detects the end of the body (RFC 9112 6.3).
  enum Framing: Equatable {
    /// The status allows no body.
    case none
    /// The body ends after this many bytes.
    case length(Int)
    /// The body ends after an empty chunk.
    case chunked
    /// The body ends with the connection, for clients that do not support chunks.
    case end
  }

  var status: Int
  var headers: [HTTPField]
  var framing: Framing
  /// Whether the connection ends after the response.
  var isLast: Bool

  /// Returns the bytes of the head.
  ///
  /// `time` is in nanoseconds since 1970.
  func bytes(at time: Int64) -> [UInt8] {
    var text = "HTTP/1.1 \(status) \(Self.reason(status))\r\nDate: \(Self.date(time))\r\n"
    switch framing {
    case .none, .end: break
    case .length(let count): text += "Content-Length: \(count)\r\n"
    case .chunked: text += "Transfer-Encoding: chunked\r\n"
    }
    if isLast { text += "Connection: close\r\n" }
    for field in headers { text += "\(field.name): \(field.value)\r\n" }
    return Array((text + "\r\n").utf8)
  }

  /// The interim response that makes a client send its announced body (RFC 9110 15.2.1).
  static let continueResponse = Array("HTTP/1.1 100 Continue\r\n\r\n".utf8)

  /// Returns a chunk of a body (RFC 9112 7.1).
  ///
  /// An empty chunk is the last one.
  static func chunk(_ bytes: some Collection<UInt8>) -> [UInt8] {
    Array((String(bytes.count, radix: 16) + "\r\n").utf8) + bytes + [0x0D, 0x0A]
  }

  /// Formats a time for headers (RFC 9110 5.6.7).
  static func date(_ time: Int64) -> String {
    let date = System.date(at: time, isUniversal: true)
    let day = time / 86_400_000_000_000 - (time % 86_400_000_000_000 < 0 ? 1 : 0)
    // 1970 began on a Thursday.
    let weekday = days[Int(((day + 4) % 7 + 7) % 7)]
    func two(_ number: Int) -> String { number < 10 ? "0\(number)" : "\(number)" }
    return "\(weekday), \(two(date.day)) \(months[date.month - 1]) \(date.year) "
      + "\(two(date.hour)):\(two(date.minute)):\(two(date.second)) GMT"
  }

  private static let days = ["Sun", "Mon", "Tue", "Wed", "Thu", "Fri", "Sat"]
  private static let months = [
    "Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec",
  ]

  /// Returns the reason phrase.
  ///
  /// It is for humans; clients ignore it (RFC 9112 4).
  private static func reason(_ status: Int) -> String {
    switch status {
    case 200: "OK"
    case 201: "Created"
    case 202: "Accepted"
    case 204: "No Content"
    case 206: "Partial Content"
    case 301: "Moved Permanently"
    case 302: "Found"
    case 303: "See Other"
    case 304: "Not Modified"
    case 307: "Temporary Redirect"
    case 308: "Permanent Redirect"
    case 400: "Bad Request"
    case 401: "Unauthorized"
    case 403: "Forbidden"
    case 404: "Not Found"
    case 405: "Method Not Allowed"
    case 408: "Request Timeout"
    case 409: "Conflict"
    case 411: "Length Required"
    case 412: "Precondition Failed"
    case 413: "Content Too Large"
    case 414: "URI Too Long"
    case 415: "Unsupported Media Type"
    case 416: "Range Not Satisfiable"
    case 422: "Unprocessable Content"
    case 429: "Too Many Requests"
    case 431: "Request Header Fields Too Large"
    case 500: "Internal Server Error"
    case 501: "Not Implemented"
    case 503: "Service Unavailable"
    case 504: "Gateway Timeout"
    case 505: "HTTP Version Not Supported"
    case 507: "Insufficient Storage"
    default: "Status \(status)"
    }
  }
}

/// A response that is being sent to a client.
struct PendingResponse {
  /// The bytes that were not passed to the link yet.
  var bytes: [UInt8]
  /// The body; nil after its end.
  var body: HTTPBody?
  var isChunked: Bool
  /// Whether the connection ends after the response.
  var isLast: Bool
  /// The number of bytes read from the body.
  private var position = 0
  /// Whether the body is a stream that has no bytes at the moment.
  var isWaiting = false
  /// Whether the body could not be read to its end, so the connection must be closed.
  private(set) var isBroken = false

  /// Prepares a response to a request.
  ///
  /// `headers` omits those that describe the body's framing or the connection. `isLast` is true if
  /// the connection must end after the response, whatever its framing.
  init(
    status: Int, _ headers: [HTTPField], _ body: HTTPBody, to head: HTTPHead, isLast: Bool
  ) {
    // RFC 9110 8.6, 15.3.5, 15.4.5
    let isEmpty = status == 204 || status == 304
    let framing: HTTPResponseHead.Framing =
      if isEmpty {
        .none
      } else if let count = body.count {
        .length(count)
      } else {
        head.version == "HTTP/1.0" ? .end : .chunked
      }
    self.isLast = isLast || framing == .end
    isChunked = framing == .chunked
    self.body = isEmpty || head.method == "HEAD" ? nil : body
    bytes = HTTPResponseHead(
      status: status, headers: headers, framing: framing, isLast: self.isLast
    ).bytes(at: System.wallNanoseconds)
  }

  /// Reads from the body until a piece is full.
  mutating func fill(upTo size: Int) {
    while let body, !isWaiting, bytes.count < size {
      var outcome = HTTPStream.Reading.end
      let block = unsafe [UInt8](
        unsafeUninitializedCapacity: min(body.blockSize, max(size, 1024))
      ) { space, count in
        outcome = unsafe body.read(from: position, into: UnsafeMutableRawBufferPointer(space))
        if case .bytes(let length) = outcome { count = length }
      }
      switch outcome {
      case .bytes:
        position += block.count
        if isChunked {
          bytes += HTTPResponseHead.chunk(block)
        } else if bytes.isEmpty {
          bytes = block
        } else {
          bytes += block
        }
      case .wait: isWaiting = true
      case .end:
        if isChunked { bytes += HTTPResponseHead.chunk([]) }
        self.body = nil
      case .failure:
        isBroken = true
        self.body = nil
      }
    }
  }
}

extension ClientConnection {
  /// Sends the next piece of the response.
  ///
  /// Returns false if that must wait, or if the response is complete.
  func write() -> Bool {
    guard phase == .answering, !isSending else { return false }
    outgoing?.fill(upTo: link.pieceSize)
    guard let answer = outgoing else { return false }
    if !answer.bytes.isEmpty {
      outgoing?.bytes = []
      send(answer.bytes)
      return phase == .answering
    }
    if answer.isBroken {
      close()
      return false
    }
    if answer.body != nil { return false }
    outgoing = nil
    endExchange()
    if answer.isLast {
      drain()
      return false
    }
    phase = .reading
    return true
  }
}
