import Foundation
import SoundRigs
import StreamRigs
import Testing

@testable import AacornStudio

/// A client that speaks HTTP to a studio byte by byte, as a browser does or as none would.
final class StudioClient {
  struct Failure: Error, CustomStringConvertible {
    var description: String
  }

  /// What the studio has answered.
  struct Answer {
    var status: Int
    var headers: [String: String] = [:]
    var body: [UInt8] = []

    var text: String { String(decoding: body, as: UTF8.self) }
  }

  /// An event that the studio has sent.
  struct Event: Equatable {
    var name: String
    var data: String
  }

  /// How the studio is asked for.
  private let host: String
  /// What a browser sends that was let in; nil for one that was not.
  private let cookie: String?
  private let connection: TCPConnection
  private var pending: [UInt8] = []

  /// A browser that the studio has let in.
  convenience init(_ studio: StudioServer) throws {
    try self.init(port: studio.port, cookie: studio.cookie)
  }

  /// Anybody who can connect.
  convenience init(port: Int, cookie: String? = nil) throws {
    guard let connection = TCPConnection(toPort: port) else {
      throw Failure(description: "Nobody listens at port \(port).")
    }
    self.init(connection, host: "localhost:\(port)", cookie)
  }

  /// A proxy that passes everything on as it comes.
  convenience init(socket path: String) throws {
    guard let connection = TCPConnection(toSocket: path) else {
      throw Failure(description: "Nobody listens at \(path).")
    }
    self.init(connection, host: "localhost", nil)
  }

  private init(_ connection: TCPConnection, host: String, _ cookie: String?) {
    // A studio that has closed the connection must not end the tests.
    _ = signal(SIGPIPE, SIG_IGN)
    self.host = host
    self.cookie = cookie
    self.connection = connection
  }

  deinit { connection.close() }

  func close() { connection.close() }

  /// Sends anything at all.
  func send(_ bytes: [UInt8]) { connection.write(bytes) }

  /// Asks as the studio's own page does; a header that is given replaces that of the page.
  func ask(
    _ path: String, method: String = "GET", headers: [String] = [], body: [UInt8] = []
  ) {
    var lines = ["\(method) \(path) HTTP/1.1"]
    var usual = [("Host", host)]
    if let cookie { usual.append(("Cookie", cookie)) }
    if method != "GET" && method != "HEAD" { usual.append(("X-Aacorn", "studio")) }
    if !body.isEmpty { usual.append(("Content-Length", "\(body.count)")) }
    let names = headers.map { $0.prefix { $0 != ":" }.lowercased() }
    for (name, value) in usual where !names.contains(name.lowercased()) {
      lines.append("\(name): \(value)")
    }
    // A header without a value is one that is to be missing.
    lines += headers.filter { !$0.hasSuffix(":") }
    send(Array((lines.joined(separator: "\r\n") + "\r\n\r\n").utf8) + body)
  }

  private func fill() -> Bool {
    let deadline = Date() + Patience.seconds
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

  /// Takes the status and the headers of an answer.
  func head() throws -> Answer {
    let words = try line().split(separator: " ")
    guard words.count > 1, let status = Int(words[1]) else {
      throw Failure(description: "This is no answer: \(words)")
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

  /// Takes an answer with its body.
  func answer(toHead: Bool = false) throws -> Answer {
    var answer = try head()
    if toHead || [204, 304].contains(answer.status) { return answer }
    answer.body = try bytes(Int(answer.headers["content-length"] ?? "") ?? 0)
    return answer
  }

  private var text = ""

  /// Takes what a stream of events tells next; nil for a sign of life.
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

  /// Whether anything comes within so many milliseconds.
  func hasBytes(milliseconds: Int) -> Bool {
    !text.isEmpty || !pending.isEmpty || connection.isReadable(milliseconds: milliseconds)
  }

  /// Takes everything until the studio closes the connection; false if it does not.
  func drain() -> Bool {
    pending = []
    while fill() { pending = [] }
    return !connection.isReadable(milliseconds: 0) || connection.read(limit: 1) == nil
  }
}

extension StudioServer {
  /// What a browser has that was let in.
  var cookie: String? {
    configuration.access.token.map { "aacorn-studio-\(port)=\($0)" }
  }
}

/// One request of a browser that was let in, over a connection of its own.
func studioAnswer(
  _ studio: StudioServer, _ path: String, method: String = "GET", headers: [String] = [],
  body: [UInt8] = []
) throws -> StudioClient.Answer {
  let client = try StudioClient(studio)
  client.ask(path, method: method, headers: headers, body: body)
  return try client.answer(toHead: method == "HEAD")
}

/// One request of anybody, over a connection of its own.
func studioAnswer(
  port: Int, _ path: String, method: String = "GET", headers: [String] = [], body: [UInt8] = []
) throws -> StudioClient.Answer {
  let client = try StudioClient(port: port)
  client.ask(path, method: method, headers: headers, body: body)
  return try client.answer(toHead: method == "HEAD")
}

/// A folder of a test, which is removed with it.
final class StudioFolderRig: Sendable {
  let path: String
  /// What is removed.
  private let place: String

  /// A folder that lies alone in one that nobody else uses, so that a test sees what gets out.
  init() throws {
    place = NSTemporaryDirectory() + "aacorn-studio-\(UUID().uuidString)"
    path = place + "/recordings"
    try FileManager.default.createDirectory(atPath: path, withIntermediateDirectories: true)
  }

  /// This folder.
  init(at path: String) throws {
    place = path
    self.path = path
    try FileManager.default.createDirectory(atPath: path, withIntermediateDirectories: true)
  }

  deinit { try? FileManager.default.removeItem(atPath: place) }

  /// Removes it, though a recorder that misses its file may begin a new one in it meanwhile.
  func remove() {
    let isGone = comesTrue {
      try? FileManager.default.removeItem(atPath: path)
      return !FileManager.default.fileExists(atPath: path)
    }
    #expect(isGone)
  }
}
