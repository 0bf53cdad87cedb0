import AacornSystem

/// A local server that accepts connections and then violates the protocol.
package final class MisbehavingServer: Sendable {
  package enum Behavior: Sendable {
    /// Completes the RTMP handshake and sends ping requests endlessly.
    case pings
    /// Completes the handshake and announces the window size endlessly.
    case windows
    /// Completes the handshake and sends messages in chunks of one byte endlessly.
    case tinyChunks
    /// Completes the handshake and calls unknown functions with thousands of arguments endlessly.
    case calls
    /// Sends the HTTP status 100 endlessly.
    case continues
    /// Accepts a stream as Icecast does, and repeats the response endlessly.
    case acceptances

    /// The chunk size that the server sets, or nil for the default of 128 bytes.
    fileprivate var chunkSize: [UInt8]? {
      switch self {
      case .tinyChunks: [0, 0, 0, 1]
      case .calls: [0, 1, 0, 0]
      default: nil
      }
    }

    /// The bytes that the server sends repeatedly.
    fileprivate var flood: [UInt8] {
      switch self {
      case .pings: .message(4, [0, 6, 1, 2, 3, 4])
      case .windows: .message(5, [0, 0x10, 0, 0])
      // A message of four bytes: the first in the header chunk, three in continuation chunks.
      case .tinyChunks: [5, 0, 0, 0, 0, 0, 4, 18, 0, 0, 0, 0, 7, 0xC5, 7, 0xC5, 7, 0xC5, 7]
      case .calls: .command("unheardOf", 0, [UInt8](repeating: 5, count: 9000))
      case .continues: Array("HTTP/1.1 100 Continue\r\n\r\n".utf8)
      case .acceptances: Array("HTTP/1.0 200 OK\r\n\r\n".utf8)
      }
    }
  }

  private let server: TCPServer

  package init(_ behavior: Behavior) throws {
    // Repeated until a write is large enough to be efficient.
    let flood = (0..<1 + 16_384 / behavior.flood.count).flatMap { _ in behavior.flood }
    server = try TCPServer { connection in
      switch behavior {
      case .continues, .acceptances:
        guard connection.read(through: "\r\n\r\n") != nil else { return }
      case .pings, .windows, .tinyChunks, .calls:
        guard Self.performHandshake(connection) else { return }
      }
      if let size = behavior.chunkSize { connection.write(.message(1, size)) }
      // A thread reads what the client sends, because otherwise both ends could wait for each
      // other.
      let isDone = Semaphore()
      let isStarted = System.startThread("test") {
        while connection.read() != nil {}
        connection.end()
        isDone.signal()
      }
      guard isStarted else { return }
      while connection.write(flood) {}
      connection.end()
      while !isDone.wait(milliseconds: 1000) {}
    }
  }

  deinit { stop() }

  package var port: Int { server.port }
  package func stop() { server.stop() }

  /// Performs the server's part of an RTMP handshake.
  private static func performHandshake(_ connection: TCPConnection) -> Bool {
    guard connection.read(count: 1537) != nil else { return false }
    return connection.write([3] + [UInt8](repeating: 7, count: 3072))
      && connection.read(count: 1536) != nil
  }
}

extension [UInt8] {
  /// Returns an RTMP message in a single chunk (RTMP 5.3.1).
  fileprivate static func message(_ kind: UInt8, _ payload: [UInt8]) -> [UInt8] {
    let count = payload.count
    return [
      3, 0, 0, 0, UInt8(count >> 16 & 255), UInt8(count >> 8 & 255), UInt8(count & 255), kind,
    ]
      + [0, 0, 0, 0] + payload
  }

  /// Returns a command with AMF 0 arguments after a null command object.
  fileprivate static func command(
    _ name: String, _ transaction: Double, _ arguments: [UInt8]
  ) -> [UInt8] {
    message(20, [2] + text(name) + number(transaction) + [5] + arguments)
  }

  private static func number(_ value: Double) -> [UInt8] {
    [0] + (0..<8).map { UInt8(truncatingIfNeeded: value.bitPattern >> (56 - 8 * $0)) }
  }

  private static func text(_ text: String) -> [UInt8] {
    [UInt8(text.utf8.count >> 8), UInt8(text.utf8.count & 255)] + Array(text.utf8)
  }
}
