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
