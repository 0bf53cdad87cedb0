import AacornSystem
import Foundation
import SoundRigs
import StreamRigs
import Testing

@testable import AacornStudio

/// A client that sends HTTP to a studio, valid or not.
final class StudioClient {
  typealias Answer = HTTPClient.Answer

  struct Event: Equatable {
    var name: String
    var data: String
  }

  /// The value of the Host header.
  private let host: String
  /// The cookie of a logged-in browser, or nil for an unauthenticated client.
  private let cookie: String?
  private let client: HTTPClient

  /// Connects as a logged-in browser.
  convenience init(_ studio: StudioServer) throws {
    try self.init(port: studio.port, cookie: studio.cookie)
  }

  /// Connects as an unauthenticated client, unless there is a cookie.
  init(port: Int, cookie: String? = nil) throws {
    client = try HTTPClient(port: port)
    host = "localhost:\(port)"
    self.cookie = cookie
  }

  /// Connects through a socket, as a proxy does.
  init(socket path: String) throws {
    client = try HTTPClient(path: path)
    host = "localhost"
    cookie = nil
  }

  func close() { client.close() }

  /// Sends arbitrary bytes.
  func send(_ bytes: [UInt8]) { client.send(bytes) }

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

  /// Reads the status and the headers of a response.
  func head() throws -> Answer { try client.receiveHead() }

  /// Reads a response with its body, or only the head if the length of the body is unknown.
  func answer(toHead: Bool = false) throws -> Answer {
    var answer = try client.receiveHead()
    if toHead || [204, 304].contains(answer.status) { return answer }
    answer.body = try client.receive(count: Int(answer.headers["content-length"] ?? "") ?? 0)
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
      let chunk = try client.receiveChunk()
      if chunk.isEmpty { throw RigFailure("The stream of events has ended.") }
      text += String(decoding: chunk, as: UTF8.self)
    }
  }

  /// Returns whether bytes arrive within `milliseconds`.
  func hasBytes(milliseconds: Int) -> Bool {
    !text.isEmpty || client.hasBytes(milliseconds: milliseconds)
  }

  /// Reads until the studio closes the connection; false if it stays open.
  func drain() -> Bool { (try? client.receiveAll()) != nil }
}

extension StudioServer {
  /// Starts a server without devices, because a simulated world has none.
  convenience init(in folder: String, access: StudioAccess = .newToken) throws {
    try self.init(StudioConfiguration(folder: folder, access: access), systems: [])
  }

  /// The cookie of a logged-in browser.
  var cookie: String? {
    configuration.access.token.map { "aacorn-studio-\(port)=\($0)" }
  }
}

extension HTTPClient.Answer {
  /// The members of a JSON response.
  var json: [String: Any] {
    (try? JSONSerialization.jsonObject(with: Data(body))) as? [String: Any] ?? [:]
  }

  var error: String { json["error"] as? String ?? "" }
  var name: String { json["name"] as? String ?? "" }
}

/// Sends one request as a logged-in browser, over its own connection.
func studioAnswer(
  _ studio: StudioServer, _ path: String, method: String? = nil, headers: [String] = [],
  body: [UInt8] = [], form: String? = nil
) throws -> StudioClient.Answer {
  try studioAnswer(
    port: studio.port, cookie: studio.cookie, path, method: method, headers: headers, body: body,
    form: form)
}

/// Sends one request over its own connection; without a cookie, the client is unauthenticated.
///
/// A form replaces the body, and is sent with POST by default.
func studioAnswer(
  port: Int, cookie: String? = nil, _ path: String, method: String? = nil,
  headers: [String] = [], body: [UInt8] = [], form: String? = nil
) throws -> StudioClient.Answer {
  let client = try StudioClient(port: port, cookie: cookie)
  var (headers, body) = (headers, body)
  if let form {
    headers.append("Content-Type: application/x-www-form-urlencoded")
    body = Array(form.utf8)
  }
  let method = method ?? (form == nil ? "GET" : "POST")
  client.ask(path, method: method, headers: headers, body: body)
  return try client.answer(toHead: method == "HEAD")
}

/// The time of the wall clock of a test, in seconds since the start of 1970.
var studioWallTime: Double { Double(System.wallNanoseconds) / 1e9 }

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

  /// Writes a file whose modification time is in the past, so that it does not count as growing.
  func put(_ bytes: [UInt8], _ name: String, secondsAgo: Double = 100) throws {
    // The file gets its name after its time, so that a library never sees it change.
    let other = path + "-" + UUID().uuidString
    try Data(bytes).write(to: URL(fileURLWithPath: other))
    try Self.age(other, secondsAgo)
    try System.rename(other, to: path + "/" + name)
  }

  /// Sets the modification time of a file.
  static func age(_ path: String, _ secondsAgo: Double) throws {
    let time = studioWallTime - secondsAgo
    try FileManager.default.setAttributes(
      [.modificationDate: Date(timeIntervalSince1970: time)], ofItemAtPath: path)
  }

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
