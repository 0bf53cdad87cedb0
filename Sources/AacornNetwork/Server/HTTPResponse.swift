import AacornSystem

/// The response to a request.
public struct HTTPResponse: Sendable {
  /// The content after the headers.
  public enum Body: Sendable {
    /// Complete bytes in memory.
    case bytes([UInt8])
    /// A file, or a part of a file, that is read while it is sent.
    case file(HTTPFile)
    /// Bytes that are produced while they are sent.
    case stream(HTTPStream)
  }

  /// The status code (RFC 9110 15).
  public var status: Int
  /// The headers.
  ///
  /// The server itself adds length, date and connection.
  public var headers: [HTTPField]
  /// The content after the headers.
  public var body: Body

  /// Creates a response with bytes.
  public init(status: Int = 200, headers: [HTTPField] = [], body: [UInt8] = []) {
    self.status = status
    self.headers = headers
    self.body = .bytes(body)
  }

  /// Creates a response with a file and status 200.
  public init(headers: [HTTPField] = [], file: HTTPFile) {
    status = 200
    self.headers = headers
    body = .file(file)
  }

  /// Creates a response with status 200 that lasts as long as the stream.
  public init(headers: [HTTPField] = [], stream: HTTPStream) {
    status = 200
    self.headers = headers
    body = .stream(stream)
  }

  /// Creates a response with text.
  public static func text(
    _ words: String, status: Int = 200, type: String = "text/plain; charset=utf-8"
  ) -> HTTPResponse {
    HTTPResponse(
      status: status, headers: [HTTPField("Content-Type", type)], body: Array(words.utf8))
  }

  /// The response for a path that does not exist.
  public static let notFound = text("There is nothing here.\n", status: 404)

  /// Returns the response for a method that is not allowed (RFC 9110 15.5.6).
  public static func methodNotAllowed(_ allowed: [String]) -> HTTPResponse {
    var response = text("This method is not allowed here.\n", status: 405)
    response.headers.append(HTTPField("Allow", allowed.joined(separator: ", ")))
    return response
  }

  /// Returns the response for a temporary problem, with the time after which to retry, rounded up
  /// to whole seconds.
  public static func unavailable(
    _ words: String, retryAfter time: Duration = .seconds(1)
  ) -> HTTPResponse {
    let seconds = (time.millisecondsToWait + 999) / 1000
    var response = text(words, status: 503)
    response.headers.append(HTTPField("Retry-After", String(seconds)))
    return response
  }

  /// The headers to send.
  ///
  /// Headers with an invalid name are omitted, and headers that the server itself adds. Control
  /// characters in values are replaced: a line break could add headers or a second response.
  var sendableHeaders: [HTTPField] {
    let ours: Set = ["content-length", "transfer-encoding", "connection", "date"]
    return headers.compactMap { field in
      guard HTTPField.isToken(field.name), !ours.contains(field.name.lowercased()) else {
        return nil
      }
      let bytes = field.value.utf8.map { $0 < 0x20 || $0 == 0x7F ? UInt8(ascii: " ") : $0 }
      return HTTPField(field.name, String(decoding: bytes, as: UTF8.self))
    }
  }
}
