import Foundation
import SoundRigs
import StreamRigs
import Testing

@testable import AacornStudio

/// A client that sends HTTP to a studio byte by byte, valid or not.
final class StudioClient {
  struct Failure: Error, CustomStringConvertible {
    var description: String
  }

  /// A response of the studio.
  struct Answer {
    var status: Int
    var headers: [String: String] = [:]
    var body: [UInt8] = []

    var text: String { String(decoding: body, as: UTF8.self) }
  }

  struct Event: Equatable {
    var name: String
    var data: String
  }

  /// The value of the Host header.
  private let host: String
  /// The cookie of a logged-in browser, or nil for an unauthenticated client.
  private let cookie: String?
  private let connection: TCPConnection
  private var pending: [UInt8] = []

  /// Connects as a logged-in browser.
  convenience init(_ studio: StudioServer) throws {
    try self.init(port: studio.port, cookie: studio.cookie)
  }

  /// Connects as an unauthenticated client, unless there is a cookie.
  convenience init(port: Int, cookie: String? = nil) throws {
    guard let connection = TCPConnection(toPort: port) else {
      throw Failure(description: "Nobody listens at port \(port).")
    }
    self.init(connection, host: "localhost:\(port)", cookie)
  }

  /// Connects through a socket, as a proxy does.
  convenience init(socket path: String) throws {
    guard let connection = TCPConnection(toSocket: path) else {
      throw Failure(description: "Nobody listens at \(path).")
    }
    self.init(connection, host: "localhost", nil)
  }

  private init(_ connection: TCPConnection, host: String, _ cookie: String?) {
    // A write to a connection that the studio has closed must not kill the tests.
    _ = signal(SIGPIPE, SIG_IGN)
    self.host = host
    self.cookie = cookie
    self.connection = connection
  }

  deinit { connection.close() }

  func close() { connection.close() }

  /// Sends arbitrary bytes.
  func send(_ bytes: [UInt8]) { connection.write(bytes) }

  /// Sends a request as the studio's page does; the given headers replace those of the page.
  func ask(
    _ path: String, method: String = "GET", headers: [String] = [], body: [UInt8] = []
  ) {
    var lines = ["\(method) \(path) HTTP/1.1"]
    var standardHeaders = [("Host", host)]
    if let cookie { standardHeaders.append(("Cookie", cookie)) }
    if method != "GET" && method != "HEAD" { standardHeaders.append(("X-Aacorn", "studio")) }
    if !body.isEmpty { standardHeaders.append(("Content-Length", "\(body.count)")) }
    let names = headers.map { $0.prefix { $0 != ":" }.lowercased() }
    for (name, value) in standardHeaders where !names.contains(name.lowercased()) {
      lines.append("\(name): \(value)")
    }
    // A given header without a value removes the header.
    lines += headers.filter { !$0.hasSuffix(":") }
    send(Array((lines.joined(separator: "\r\n") + "\r\n\r\n").utf8) + body)
  }

  private func fill() -> Bool {
    let deadline = Date() + TestTimeout.seconds
    while Date() < deadline {
      if connection.isReadable(milliseconds: 100) {
        guard let bytes = connection.read(limit: 65_536) else { return false }
        pending += bytes
        return true
      }
      if connection.isClosed { return false }
    }
    return false
  }

  private func line() throws -> String {
    while true {
      if let end = pending.firstIndex(of: 0x0A) {
        defer { pending.removeFirst(end + 1) }
        return String(decoding: pending[..<end].filter { $0 != 0x0D }, as: UTF8.self)
      }
      guard fill() else { throw Failure(description: "The connection ended before its time.") }
    }
  }

  private func bytes(_ count: Int) throws -> [UInt8] {
    while pending.count < count {
      guard fill() else {
        throw Failure(description: "The connection ended after \(pending.count) of \(count) bytes.")
      }
    }
    defer { pending.removeFirst(count) }
    return Array(pending.prefix(count))
  }

  /// Reads the status and the headers of a response.
  func head() throws -> Answer {
    let words = try line().split(separator: " ")
    guard words.count > 1, let status = Int(words[1]) else {
      throw Failure(description: "Not a response: \(words)")
    }
    var answer = Answer(status: status)
    while true {
      let field = try line()
      if field.isEmpty { return answer }
      guard let colon = field.firstIndex(of: ":") else { continue }
      answer.headers[field[..<colon].lowercased()] = field[field.index(after: colon)...]
        .trimmingCharacters(in: .whitespaces)
    }
  }

  /// Reads a response with its body.
  func answer(toHead: Bool = false) throws -> Answer {
    var answer = try head()
    if toHead || [204, 304].contains(answer.status) { return answer }
    answer.body = try bytes(Int(answer.headers["content-length"] ?? "") ?? 0)
    return answer
  }

  private var text = ""

  /// Reads the next event of the stream; nil for a keep-alive comment.
  func event() throws -> Event? {
    while true {
      if let end = text.range(of: "\n\n") {
        let block = text[..<end.lowerBound].components(separatedBy: "\n")
        text.removeSubrange(..<end.upperBound)
        if block.contains(where: { $0.hasPrefix("retry:") }) { continue }
        guard block.count == 2 else { return nil }
        return Event(
          name: String(block[0].dropFirst("event: ".count)),
          data: String(block[1].dropFirst("data: ".count)))
      }
      guard let count = Int(try line(), radix: 16), count > 0 else {
        throw Failure(description: "The stream of events has ended.")
      }
      text += String(decoding: try bytes(count), as: UTF8.self)
      _ = try bytes(2)
    }
  }

  /// Returns whether bytes arrive within `milliseconds`.
  func hasBytes(milliseconds: Int) -> Bool {
    !text.isEmpty || !pending.isEmpty || connection.isReadable(milliseconds: milliseconds)
  }

  /// Reads until the studio closes the connection; false if it stays open.
  func drain() -> Bool {
    pending = []
    while fill() { pending = [] }
    return !connection.isReadable(milliseconds: 0) || connection.read(limit: 1) == nil
  }
}

extension StudioServer {
  /// The cookie of a logged-in browser.
  var cookie: String? {
    configuration.access.token.map { "aacorn-studio-\(port)=\($0)" }
  }
}

/// Sends one request as a logged-in browser, over its own connection.
func studioAnswer(
  _ studio: StudioServer, _ path: String, method: String = "GET", headers: [String] = [],
  body: [UInt8] = []
) throws -> StudioClient.Answer {
  let client = try StudioClient(studio)
  client.ask(path, method: method, headers: headers, body: body)
  return try client.answer(toHead: method == "HEAD")
}

/// Sends one request as an unauthenticated client, over its own connection.
func studioAnswer(
  port: Int, _ path: String, method: String = "GET", headers: [String] = [], body: [UInt8] = []
) throws -> StudioClient.Answer {
  let client = try StudioClient(port: port)
  client.ask(path, method: method, headers: headers, body: body)
  return try client.answer(toHead: method == "HEAD")
}

/// A folder that is removed when the test ends.
final class StudioFolderRig: Sendable {
  let path: String
  /// The path that is removed.
  private let root: String

  /// Creates a folder alone in a unique parent, so that a test sees files written outside it.
  init() throws {
    root = NSTemporaryDirectory() + "aacorn-studio-\(UUID().uuidString)"
    path = root + "/recordings"
    try FileManager.default.createDirectory(atPath: path, withIntermediateDirectories: true)
  }

  /// Creates the folder at `path`.
  init(at path: String) throws {
    root = path
    self.path = path
    try FileManager.default.createDirectory(atPath: path, withIntermediateDirectories: true)
  }

  deinit { try? FileManager.default.removeItem(atPath: root) }

  /// Removes the folder.
  ///
  /// Retries, because a recorder that misses its file may create a new one in it.
  func remove() {
    let isRemoved = eventually {
      try? FileManager.default.removeItem(atPath: path)
      return !FileManager.default.fileExists(atPath: path)
    }
    #expect(isRemoved)
  }
}
