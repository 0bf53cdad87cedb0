import Foundation
import SoundRigs
import Testing

@testable import AacornWeb

/// A client that sends HTTP byte by byte over its own socket, so that a test can misbehave.
final class HTTPServerClient {
  struct Failure: Error, CustomStringConvertible {
    var description: String
  }

  /// A response of the server.
  struct Answer {
    var status: Int
    var headers: [String: String]
    var body: [UInt8]

    var text: String { String(decoding: body, as: UTF8.self) }
  }

  private let socket: Int32
  private var pending: [UInt8] = []
  private var isOpen = true

  /// Connects `count` clients, each of which sends its request immediately.
  ///
  /// The server waits ten seconds for a request, and connecting all clients may take longer.
  static func asking(_ count: Int, for path: String, port: Int) throws -> [HTTPServerClient] {
    try (0..<count).map { _ in
      let client = try HTTPServerClient(port: port)
      client.ask(path)
      return client
    }
  }

  /// Connects from an address of this machine.
  ///
  /// With a small window, the client receives little at a time.
  init(port: Int, window: Int32? = nil, from source: String? = nil) throws {
    socket = Foundation.socket(AF_INET, Int32(SOCK_STREAM.rawValue), 0)
    if var window {
      unsafe setsockopt(socket, SOL_SOCKET, SO_RCVBUF, &window, socklen_t(MemoryLayout<Int32>.size))
    }
    setTimeouts()
    // The deinitializer closes the socket, even if this initializer throws.
    if let source, unsafe !Self.pass(Self.socketAddress(source, 0), to: socket, bind) {
      throw Failure(description: "There is no address \(source): errno \(errno).")
    }
    if unsafe !Self.pass(Self.socketAddress("127.0.0.1", port), to: socket, connect) {
      throw Failure(description: "Connecting to port \(port) failed with errno \(errno).")
    }
  }

  /// Connects to a socket file.
  init(path: String) throws {
    socket = Foundation.socket(AF_UNIX, Int32(SOCK_STREAM.rawValue), 0)
    setTimeouts()
    var socketAddress = sockaddr_un()
    socketAddress.sun_family = sa_family_t(AF_UNIX)
    unsafe withUnsafeMutableBytes(of: &socketAddress.sun_path) {
      unsafe $0.copyBytes(from: path.utf8)
    }
    if unsafe !Self.pass(socketAddress, to: socket, connect) {
      throw Failure(description: "Connecting to \(path) failed with errno \(errno).")
    }
  }

  private func setTimeouts() {
    // The memory layout of a `timeval`: seconds and microseconds. With optimization, the compiler
    // may not find the members of `timeval`, because this file does not import their module.
    var timeout = [60 * TestTimeout.minutes, 0]
    let size = socklen_t(MemoryLayout<timeval>.size)
    unsafe setsockopt(socket, SOL_SOCKET, SO_RCVTIMEO, &timeout, size)
    unsafe setsockopt(socket, SOL_SOCKET, SO_SNDTIMEO, &timeout, size)
  }

  private static func socketAddress(_ address: String, _ port: Int) -> sockaddr_in {
    var socketAddress = sockaddr_in()
    socketAddress.sin_family = sa_family_t(AF_INET)
    socketAddress.sin_port = in_port_t(port).bigEndian
    unsafe inet_pton(AF_INET, address, &socketAddress.sin_addr)
    return socketAddress
  }

  private static func pass<Address>(
    _ address: Address, to socket: Int32,
    _ call: (Int32, UnsafePointer<sockaddr>?, socklen_t) -> Int32
  ) -> Bool {
    var address = address
    return unsafe withUnsafeBytes(of: &address) { bytes in
      unsafe call(
        socket, bytes.assumingMemoryBound(to: sockaddr.self).baseAddress, socklen_t(bytes.count))
    } == 0
  }

  deinit { close() }

  func close() {
    if isOpen { Foundation.close(socket) }
    isOpen = false
  }

  /// Closes the sending direction.
  func finishSending() { shutdown(socket, Int32(SHUT_WR)) }

  /// Closes the socket so that the server's next bytes cause a reset.
  func reset() {
    var option = linger(l_onoff: 1, l_linger: 0)
    unsafe setsockopt(
      socket, SOL_SOCKET, Int32(SO_LINGER), &option, socklen_t(MemoryLayout<linger>.size))
    close()
  }

  /// Sends bytes; false if the server accepts no more.
  @discardableResult
  func send(_ bytes: [UInt8]) -> Bool {
    var offset = 0
    while offset < bytes.count {
      let count = unsafe bytes.withUnsafeBytes { buffer in
        unsafe Foundation.send(
          socket, buffer.baseAddress?.advanced(by: offset), bytes.count - offset,
          Int32(MSG_NOSIGNAL))
      }
      // A process that was suspended and resumed repeats the call.
      if count < 0 && errno == EINTR { continue }
      if count <= 0 { return false }
      offset += count
    }
    return true
  }

  @discardableResult
  func send(_ text: String) -> Bool { send(Array(text.utf8)) }

  /// Sends a request like a regular client.
  func ask(_ path: String, method: String = "GET", headers: [String] = [], body: [UInt8] = []) {
    var text = "\(method) \(path) HTTP/1.1\r\nHost: test\r\n"
    if !body.isEmpty { text += "Content-Length: \(body.count)\r\n" }
    for header in headers { text += header + "\r\n" }
    send(Array((text + "\r\n").utf8) + body)
  }

  /// Returns received bytes; empty at the end, nil after the timeout of `TestTimeout`.
  func receive(atMost count: Int = 65536) -> [UInt8]? {
    if !pending.isEmpty {
      defer { pending.removeFirst(min(count, pending.count)) }
      return Array(pending.prefix(count))
    }
    var bytes = [UInt8](repeating: 0, count: count)
    var received = 0
    // As in `send`.
    repeat { received = unsafe recv(socket, &bytes, count, 0) } while received < 0 && errno == EINTR
    if received < 0 { return errno == EAGAIN || errno == EWOULDBLOCK ? nil : [] }
    return Array(bytes.prefix(received))
  }

  /// Returns whether bytes arrive within `milliseconds`.
  func hasBytes(milliseconds: Int32) -> Bool {
    if !pending.isEmpty { return true }
    var entry = pollfd(fd: socket, events: Int16(POLLIN), revents: 0)
    return unsafe poll(&entry, 1, milliseconds) > 0
  }

  /// Reads up to and including an ending.
  func receive(through ending: String) throws -> [UInt8] {
    let ending = Array(ending.utf8)
    var bytes: [UInt8] = []
    while !bytes.suffix(ending.count).elementsEqual(ending) {
      guard let next = receive(atMost: 1), !next.isEmpty else {
        throw Failure(
          description: "The connection ended after “\(String(decoding: bytes, as: UTF8.self))”.")
      }
      bytes += next
    }
    return bytes
  }

  func receive(count: Int) throws -> [UInt8] {
    var bytes: [UInt8] = []
    while bytes.count < count {
      guard let next = receive(atMost: count - bytes.count), !next.isEmpty else {
        throw Failure(description: "The connection ended after \(bytes.count) of \(count) bytes.")
      }
      bytes += next
    }
    return bytes
  }

  /// Reads to the end of the connection.
  func receiveAll() throws -> [UInt8] {
    var bytes: [UInt8] = []
    let deadline = Date() + TestTimeout.seconds
    while Date() < deadline, let next = receive() {
      if next.isEmpty { return bytes }
      bytes += next
    }
    throw Failure(description: "The server does not close the connection.")
  }

  /// Reads the status and the headers of a response.
  func receiveHead() throws -> Answer {
    let text = String(decoding: try receive(through: "\r\n\r\n"), as: UTF8.self)
    var lines = text.components(separatedBy: "\r\n").filter { !$0.isEmpty }
    let words = lines.removeFirst().split(separator: " ")
    guard words.count >= 2, let status = Int(words[1]) else {
      throw Failure(description: "Not a response: \(text)")
    }
    var headers: [String: String] = [:]
    for line in lines {
      guard let colon = line.firstIndex(of: ":") else { continue }
      headers[line[..<colon].lowercased()] = line[line.index(after: colon)...]
        .trimmingCharacters(in: .whitespaces)
    }
    return Answer(status: status, headers: headers, body: [])
  }

  /// Reads a chunk of a chunked body; empty at the end.
  func receiveChunk() throws -> [UInt8] {
    let line = String(decoding: try receive(through: "\r\n").dropLast(2), as: UTF8.self)
    guard let count = Int(line, radix: 16) else {
      throw Failure(description: "“\(line)” is not the length of a chunk.")
    }
    let bytes = try receive(count: count)
    _ = try receive(count: 2)
    return bytes
  }

  /// Reads a response with its body.
  ///
  /// A response to HEAD has no body.
  func receiveAnswer(toHead: Bool = false) throws -> Answer {
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

/// Sends one request over its own connection.
func httpAnswer(
  _ server: HTTPServer, _ path: String, method: String = "GET", headers: [String] = [],
  body: [UInt8] = []
) throws -> HTTPServerClient.Answer {
  let client = try HTTPServerClient(port: server.port)
  client.ask(path, method: method, headers: headers, body: body)
  return try client.receiveAnswer(toHead: method == "HEAD")
}
