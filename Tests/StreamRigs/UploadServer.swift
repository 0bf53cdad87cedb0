import AacornSystem

/// A local web server that accepts uploads, or treats requests as the test specifies.
///
/// It stores the accepted files, and all requests in the order of their completion.
package final class UploadServer: Sendable {
  package struct Request: Sendable {
    /// `PUT` or `DELETE`.
    package let method: String
    package let target: String
    /// The headers by lowercase name.
    package let headers: [String: String]
    package let body: [UInt8]
    package let isTaken: Bool
    package var name: String { String(target.split(separator: "/").last ?? "") }
    package var text: String { String(decoding: body, as: UTF8.self) }
  }

  package enum Treatment: Sendable, Equatable {
    case take
    /// Performs the request, then closes the idle connection.
    case takeAndClose
    /// Reads the request, then responds with this status and text.
    case refuse(Int, String)
    /// Responds with this status after the head, then closes the connection without using the body.
    case refuseEarly(Int)
    /// Breaks the connection after half of the body.
    case cut
    /// Reads the request and sends no response.
    case ignore
  }

  private struct State {
    var requests: [Request] = []
    var files: [String: [UInt8]] = [:]
  }

  private let state: Lock<State>
  private let server: TCPServer

  /// Starts a server that calls `treat` for every request before it reads the body.
  package init(treat: @escaping @Sendable (Request) -> Treatment = { _ in .take }) throws {
    let state = Lock(State())
    self.state = state
    server = try TCPServer { connection in
      while Self.serve(connection, state, treat) {}
    }
  }

  deinit { stop() }

  package var port: Int { server.port }
  package var connectionCount: Int { server.connectionCount }
  package var requests: [Request] { state.withLock(\.requests) }
  package var files: [String: [UInt8]] { state.withLock(\.files) }
  package func text(_ name: String) -> String { String(decoding: files[name] ?? [], as: UTF8.self) }
  package func stop() { server.stop() }

  /// Serves one request; false if the connection has ended.
  private static func serve(
    _ connection: TCPConnection, _ state: Lock<State>, _ treat: (Request) -> Treatment
  ) -> Bool {
    guard let head = connection.read(through: "\r\n\r\n") else { return false }
    let request = HTTPHead(String(decoding: head, as: UTF8.self))
    guard request.words.count == 3 else { return false }
    let opening = Request(
      method: request.words[0], target: request.words[1], headers: request.headers, body: [],
      isTaken: false)
    let treatment = treat(opening)
    if case .refuseEarly(let status) = treatment {
      connection.write(answer(status, "", closes: true))
      connection.finishWriting()
      // Closing with unread bytes would reset the connection before the client reads the response.
      while connection.read() != nil {}
      return false
    }
    let count = opening.headers["content-length"].flatMap { Int($0) } ?? 0
    guard let body = connection.read(count: treatment == .cut ? count / 2 : count) else {
      return false
    }
    if treatment == .cut {
      connection.reset()
      return false
    }
    let complete = Request(
      method: opening.method, target: opening.target, headers: opening.headers, body: body,
      isTaken: treatment == .take || treatment == .takeAndClose)
    let status = take(complete, state)
    switch treatment {
    case .ignore: return true
    case .refuse(let status, let text): return connection.write(answer(status, text))
    default: break
    }
    return connection.write(answer(status, "")) && treatment != .takeAndClose
  }

  /// Stores and performs a request, and returns the status of the response.
  private static func take(_ request: Request, _ state: Lock<State>) -> Int {
    state.withLock { state in
      state.requests.append(request)
      guard request.isTaken else { return 0 }
      if request.method == "DELETE" {
        return state.files.removeValue(forKey: request.name) == nil ? 404 : 204
      }
      return state.files.updateValue(request.body, forKey: request.name) == nil ? 201 : 204
    }
  }

  private static func answer(_ status: Int, _ text: String, closes: Bool = false) -> [UInt8] {
    let length = status == 204 ? "" : "Content-Length: \(text.utf8.count)\r\n"
    let connection = closes ? "Connection: close\r\n" : ""
    return Array("HTTP/1.1 \(status) Said\r\n\(length)\(connection)\r\n\(text)".utf8)
  }
}
