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

/// The body of a response.
///
/// A block is read whenever the client can accept more. Any number of clients can thus receive the
/// same bytes from a single copy.
final class HTTPBody {
  private let content: HTTPResponse.Body
  /// The length in bytes; nil for a stream.
  let count: Int?
  /// The number of bytes to read at a time.
  let blockSize: Int

  /// Prepares a body.
  ///
  /// Returns nil if a stream is used a second time.
  init?(_ content: HTTPResponse.Body, for exchange: HTTPExchange) {
    switch content {
    case .bytes(let bytes): blockSize = min(max(bytes.count, 1), 32 * 1024)
    case .file(let file): blockSize = min(max(file.count, 1), 128 * 1024)
    case .stream(let stream):
      guard stream.attach(exchange) else { return nil }
      exchange.setStream(stream)
      blockSize = 4 * 1024
    }
    self.content = content
    count = content.count
  }

  /// Copies the bytes at a position to memory, or returns the reason why there are none.
  func read(from position: Int, into space: UnsafeMutableRawBufferPointer) -> HTTPStream.Reading {
    switch content {
    case .bytes(let bytes):
      guard position < bytes.count else { return .end }
      let count = min(space.count, bytes.count - position)
      unsafe space.copyBytes(from: bytes[position..<(position + count)])
      return .bytes(count)
    case .file(let file):
      guard position < file.count else { return .end }
      return unsafe file.read(from: position, into: space).map { .bytes($0) } ?? .failure
    case .stream(let stream): return unsafe stream.read(into: space)
    }
  }
}

/// A file, or a part of a file, that is sent as the body of a response.
///
/// The file is read while it is sent, so it may have any size. It is closed when no value refers to
/// it anymore. If the file is truncated during the response, the connection is aborted, so that the
/// client detects it.
public struct HTTPFile: Sendable {
  private let handle: OpenFile
  /// The offset of the part in the file.
  public let offset: Int
  /// The length of the part in bytes.
  public let count: Int

  private init(_ handle: OpenFile, offset: Int, count: Int) {
    self.handle = handle
    self.offset = offset
    self.count = count
  }

  /// Creates a part of a file that is open for reading.
  ///
  /// The value owns the descriptor from now on.
  public init(descriptor: Int32, offset: Int = 0, count: Int) {
    self.init(OpenFile(descriptor), offset: max(0, offset), count: max(0, count))
  }

  /// Returns a part of this part.
  ///
  /// `range` is relative to this part.
  func part(_ range: Range<Int>) -> HTTPFile {
    HTTPFile(handle, offset: offset + range.lowerBound, count: range.count)
  }

  /// Reads bytes from a position in the part.
  ///
  /// Returns nil if the file is unreadable or too short.
  func read(from position: Int, into space: UnsafeMutableRawBufferPointer) -> Int? {
    let limit = min(space.count, count - position)
    guard limit > 0 else { return nil }
    let part = unsafe UnsafeMutableRawBufferPointer(rebasing: space[..<limit])
    let length = try? unsafe System.read(handle.descriptor, into: part, at: offset + position)
    return length == 0 ? nil : length
  }
}
