import AacornSystem

/// The answer to a client.
public struct HTTPResponse: Sendable {
  /// What follows the headers.
  public enum Body: Sendable {
    /// Bytes that are complete.
    case bytes([UInt8])
    /// A file, or a part of it, that is read while it is sent.
    case file(HTTPFile)
    /// Bytes that are still being produced.
    case stream(HTTPStream)
  }

  /// The status code (RFC 9110 15).
  public var status: Int
  /// The headers; the server itself adds length, date and connection.
  public var headers: [HTTPField]
  /// The body.
  public var body: Body

  /// Creates an answer with bytes.
  public init(status: Int = 200, headers: [HTTPField] = [], body: [UInt8] = []) {
    self.status = status
    self.headers = headers
    self.body = .bytes(body)
  }

  /// Creates an answer with a file.
  public init(headers: [HTTPField] = [], file: HTTPFile) {
    status = 200
    self.headers = headers
    body = .file(file)
  }

  /// Creates an answer that lasts as long as the stream.
  public init(headers: [HTTPField] = [], stream: HTTPStream) {
    status = 200
    self.headers = headers
    body = .stream(stream)
  }

  /// Creates an answer with text.
  public static func text(
    _ words: String, status: Int = 200, type: String = "text/plain; charset=utf-8"
  ) -> HTTPResponse {
    HTTPResponse(
      status: status, headers: [HTTPField("Content-Type", type)], body: Array(words.utf8))
  }

  /// The answer for a path where there is nothing.
  public static let notFound = text("There is nothing here.\n", status: 404)

  /// The answer for a method that is not among those allowed here (RFC 9110 15.5.6).
  public static func methodNotAllowed(_ allowed: [String]) -> HTTPResponse {
    var response = text("This method is not allowed here.\n", status: 405)
    response.headers.append(HTTPField("Allow", allowed.joined(separator: ", ")))
    return response
  }

  /// The answer if the server cannot respond just now, with the time after which to retry, in
  /// whole seconds.
  public static func unavailable(
    _ words: String, retryAfter time: Duration = .seconds(1)
  ) -> HTTPResponse {
    let seconds = (time.millisecondsToWait + 999) / 1000
    var response = text(words, status: 503)
    response.headers.append(HTTPField("Retry-After", String(seconds)))
    return response
  }

  /// The headers that may be sent: names must be tokens, and values must stay on their line.
  ///
  /// A value with a line break could add headers or a second answer.
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
