import AacornSystem
import Foundation
import SoundRigs

/// A client that sends HTTP byte by byte, so that a test can misbehave.
package final class HTTPClient {
  package struct Answer: Sendable {
    package var status: Int
    /// The headers by lowercase name.
    package var headers: [String: String]
    package var body: [UInt8]
    package var text: String { String(decoding: body, as: UTF8.self) }
  }

  private let connection: TCPConnection
  private var pending: ArraySlice<UInt8> = []

  /// Connects an address of this computer to a port of it.
  ///
  /// With a small window, the client receives little at a time.
  package init(port: Int, window: Int32? = nil, from source: String = "127.0.0.1") throws {
    guard let connection = TCPConnection(toPort: port, from: source, window: window) else {
      throw RigFailure("No server listens at port \(port).")
    }
    self.connection = connection
  }

  /// Connects to a socket file.
  package init(path: String) throws {
    guard let connection = TCPConnection(toSocket: path) else {
      throw RigFailure("No server listens at \(path).")
    }
    self.connection = connection
  }

  /// Connects `count` clients, each of which sends its request immediately.
  package static func asking(_ count: Int, for path: String, port: Int) throws -> [HTTPClient] {
    try (0..<count).map { _ in
      let client = try HTTPClient(port: port)
      client.ask(path)
      return client
    }
  }

  deinit { close() }

  package func close() { connection.close() }
  package func finishSending() { connection.finishWriting() }

  /// Closes the connection with an RST.
  package func reset() {
    connection.reset()
    connection.close()
  }

  /// Sends bytes; false if the server accepts no more.
  @discardableResult
  package func send(_ bytes: [UInt8]) -> Bool { connection.write(bytes) }

  /// Sends text; false if the server accepts no more.
  @discardableResult
  package func send(_ text: String) -> Bool { send(Array(text.utf8)) }

  package func ask(
    _ path: String, method: String = "GET", headers: [String] = [], body: [UInt8] = []
  ) {
    var text = "\(method) \(path) HTTP/1.1\r\nHost: test\r\n"
    if !body.isEmpty { text += "Content-Length: \(body.count)\r\n" }
    for header in headers { text += header + "\r\n" }
    send(Array((text + "\r\n").utf8) + body)
  }

  // MARK: Receiving

  /// Returns received bytes; empty at the end, nil after the timeout of `TestTimeout`.
  package func receive(atMost count: Int = 65536) -> [UInt8]? {
    if pending.isEmpty {
      guard connection.isReadable(milliseconds: TestTimeout.milliseconds) else {
        return connection.isClosed ? [] : nil
      }
      pending = (connection.read(limit: 65536) ?? [])[...]
    }
    defer { pending.removeFirst(min(count, pending.count)) }
    return Array(pending.prefix(count))
  }

  /// Returns whether bytes, or the end, arrive within `milliseconds`.
  package func hasBytes(milliseconds: Int) -> Bool {
    !pending.isEmpty || connection.isReadable(milliseconds: milliseconds)
  }

  /// Reads up to and including an ending.
  package func receive(through ending: String) throws -> [UInt8] {
    let ending = Array(ending.utf8)
    var bytes: [UInt8] = []
    while !bytes.suffix(ending.count).elementsEqual(ending) {
      guard let next = receive(atMost: 1), !next.isEmpty else {
        throw RigFailure(
          "The connection ended after “\(String(decoding: bytes, as: UTF8.self))”.")
      }
      bytes += next
    }
    return bytes
  }

  package func receive(count: Int) throws -> [UInt8] {
    var bytes: [UInt8] = []
    while bytes.count < count {
      guard let next = receive(atMost: count - bytes.count), !next.isEmpty else {
        throw RigFailure("The connection ended after \(bytes.count) of \(count) bytes.")
      }
      bytes += next
    }
    return bytes
  }

  @discardableResult
  package func receiveAll() throws -> [UInt8] {
    var bytes: [UInt8] = []
    let deadline = System.seconds + TestTimeout.seconds
    while System.seconds < deadline, let next = receive() {
      if next.isEmpty { return bytes }
      bytes += next
    }
    throw RigFailure("The server does not close the connection.")
  }

  package func receiveHead() throws -> Answer {
    let text = String(decoding: try receive(through: "\r\n\r\n"), as: UTF8.self)
    let head = HTTPHead(text)
    guard head.words.count >= 2, let status = Int(head.words[1]) else {
      throw RigFailure("Not a response: \(text)")
    }
    return Answer(status: status, headers: head.headers, body: [])
  }

  /// Reads a chunk of a chunked body; empty at the end.
  package func receiveChunk() throws -> [UInt8] {
    let line = String(decoding: try receive(through: "\r\n").dropLast(2), as: UTF8.self)
    guard let count = Int(line, radix: 16) else {
      throw RigFailure("“\(line)” is not the length of a chunk.")
    }
    let bytes = try receive(count: count)
    _ = try receive(count: 2)
    return bytes
  }

  /// Reads a response with its body.
  ///
  /// A response to HEAD has no body.
  package func receiveAnswer(toHead: Bool = false) throws -> Answer {
    var answer = try receiveHead()
    if toHead || answer.status == 204 || answer.status == 304 { return answer }
    if let length = answer.headers["content-length"].flatMap({ Int($0) }) {
      answer.body = try receive(count: length)
    } else if answer.headers["transfer-encoding"] == "chunked" {
      while true {
        let chunk = try receiveChunk()
        if chunk.isEmpty { break }
        answer.body += chunk
      }
    } else {
      answer.body = try receiveAll()
    }
    return answer
  }
}
