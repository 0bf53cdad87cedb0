import AacornSystem

/// A server on this computer that takes connections and does nothing of what is expected then.
public final class UnwillingServer: Sendable {
  /// What it does.
  public enum Manner: String, Sendable, CaseIterable {
    /// Reads all and says nothing.
    case silent
    /// Shakes hands as RTMP wants it, and says nothing more.
    case silentAfterHandshake
    /// Takes the application as well, and says nothing more.
    case silentAfterConnect
    /// Makes a stream as well, and says nothing more when it is to be published.
    case silentAfterCreate
    /// Shakes hands, and asks without end whether anybody is there.
    case pings
    /// Shakes hands, and says without end how large the window is.
    case windows
    /// Shakes hands, and sends messages in chunks of one byte without end.
    case crumbs
    /// Shakes hands, and calls functions that nobody has, with thousands of arguments, without end.
    case calls
    /// Answers as HTTP has it that more may come, without end.
    case continues
    /// Takes a stream as Icecast does, and says so without end.
    case assents

    /// The size of its chunks; nil leaves it at 128 bytes.
    fileprivate var chunkSize: [UInt8]? {
      switch self {
      case .crumbs: [0, 0, 0, 1]
      case .calls: [0, 1, 0, 0]
      default: nil
      }
    }

    /// What it says again and again.
    fileprivate var flood: [UInt8] {
      switch self {
      case .silent, .silentAfterHandshake, .silentAfterConnect, .silentAfterCreate: []
      case .pings: .message(4, [0, 6, 1, 2, 3, 4])
      case .windows: .message(5, [0, 0x10, 0, 0])
      // Four bytes, three of them in chunks that go on with the message.
      case .crumbs: [5, 0, 0, 0, 0, 0, 4, 18, 0, 0, 0, 0, 7, 0xC5, 7, 0xC5, 7, 0xC5, 7]
      case .calls: .command("unheardOf", 0, [UInt8](repeating: 5, count: 9000))
      case .continues: Array("HTTP/1.1 100 Continue\r\n\r\n".utf8)
      case .assents: Array("HTTP/1.0 200 OK\r\n\r\n".utf8)
      }
    }
  }

  private let server: TCPServer

  /// A server with such a manner, at a free port.
  public init(_ manner: Manner) throws {
    // As much as makes a write worth its while.
    let flood = (0..<1 + 16_384 / max(1, manner.flood.count)).flatMap { _ in manner.flood }
    server = try TCPServer { connection in
      switch manner {
      case .silent: break
      case .continues, .assents:
        guard connection.read(through: "\r\n\r\n") != nil else { return }
      case .silentAfterHandshake, .pings, .windows, .crumbs, .calls:
        guard Self.shakeHands(connection) else { return }
      case .silentAfterConnect, .silentAfterCreate:
        guard Self.shakeHands(connection) else { return }
        let answers = [
          [UInt8].command("_result", 1, .status("NetConnection.Connect.Success")),
          .command("_result", 4, .number(1)),
        ]
        for answer in answers.prefix(manner == .silentAfterConnect ? 1 : 2) {
          connection.write(answer)
        }
      }
      guard !flood.isEmpty else {
        while connection.read() != nil {}
        return
      }
      if let size = manner.chunkSize { connection.write(.message(1, size)) }
      // What the client says is read meanwhile, or both would wait for each other.
      let isDone = Semaphore()
      let isStarted = System.startThread {
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

  /// Where clients find it, at 127.0.0.1.
  public var port: Int { server.port }

  /// How many connections there have been.
  public var connectionCount: Int { server.connectionCount }

  /// Ends it and its connections.
  public func stop() { server.stop() }

  /// The server's part of an RTMP handshake.
  private static func shakeHands(_ connection: TCPConnection) -> Bool {
    func read(_ count: Int) -> Bool {
      var rest = count
      while rest > 0 {
        guard let bytes = connection.read(limit: rest) else { return false }
        rest -= bytes.count
      }
      return true
    }
    guard read(1537) else { return false }
    return connection.write([3] + [UInt8](repeating: 7, count: 3072)) && read(1536)
  }
}

extension [UInt8] {
  /// An RTMP message in a chunk of its own (RTMP 5.3.1).
  fileprivate static func message(_ kind: UInt8, _ payload: [UInt8]) -> [UInt8] {
    let count = payload.count
    return [
      3, 0, 0, 0, UInt8(count >> 16 & 255), UInt8(count >> 8 & 255), UInt8(count & 255), kind,
    ]
      + [0, 0, 0, 0] + payload
  }

  /// A call or an answer, with arguments in AMF 0 after an empty object.
  fileprivate static func command(
    _ name: String, _ transaction: Double, _ arguments: [UInt8]
  ) -> [UInt8] {
    message(20, [2] + text(name) + number(transaction) + [5] + arguments)
  }

  /// An object that says that something went well.
  fileprivate static func status(_ code: String) -> [UInt8] {
    [3] + text("level") + [2] + text("status") + text("code") + [2] + text(code) + [0, 0, 9]
  }

  fileprivate static func number(_ value: Double) -> [UInt8] {
    [0] + (0..<8).map { UInt8(truncatingIfNeeded: value.bitPattern >> (56 - 8 * $0)) }
  }

  private static func text(_ text: String) -> [UInt8] {
    [UInt8(text.utf8.count >> 8), UInt8(text.utf8.count & 255)] + Array(text.utf8)
  }
}
