import AacornSystem
import Foundation
import SoundRigs

/// Returns a free port outside the range that the system assigns to clients.
///
/// The port therefore stays free while its server is stopped. The system could assign any other
/// free port to a client, even to a client that connects to that very port, which then connects to
/// itself.
package func freePort() throws -> Int {
  let text = try? String(contentsOfFile: "/proc/sys/net/ipv4/ip_local_port_range", encoding: .utf8)
  let bounds = (text ?? "").split(whereSeparator: \.isWhitespace).compactMap { Int($0) }
  let given = bounds.count == 2 ? bounds[0]...max(bounds[0], bounds[1]) : 32_768...60_999
  for _ in 0..<10_000 {
    let port = Int.random(in: 10_000...65_535)
    if given.contains(port) { continue }
    guard let (descriptor, _) = try? TCPServer.listen(on: "127.0.0.1", port: port) else { continue }
    close(descriptor)
    return port
  }
  throw RigFailure("Only ports that the system gives to clients are free.")
}

/// A server on this computer that serves each connection on its own thread.
///
/// It ends with `stop` or with the test's process.
package final class TCPServer: Sendable {
  package let port: Int

  private struct State {
    var listener: Int32?
    var acceptedCount = 0
    var connections: [TCPConnection] = []
  }

  private let state: Lock<State>
  private let serve: @Sendable (TCPConnection) -> Void

  /// Starts a server at an address such as `127.0.0.1` or `::1`.
  ///
  /// Port 0 chooses a free port.
  ///
  /// `serve` runs on a thread for each connection, which is closed when it returns.
  package init(
    address: String = "127.0.0.1", port: Int = 0,
    serve: @escaping @Sendable (TCPConnection) -> Void
  ) throws {
    self.serve = serve
    let (descriptor, port) = try Self.listen(on: address, port: port)
    self.port = port
    state = Lock(State(listener: descriptor))
    startAccepting(descriptor)
  }

  deinit { stop() }

  /// Starts a server that echoes the received bytes.
  package static func echo(address: String = "127.0.0.1") throws -> TCPServer {
    try TCPServer(address: address) { connection in
      while let bytes = connection.read() {
        if !connection.write(bytes) { return }
      }
    }
  }

  /// Starts a server that reads nothing and sends nothing.
  package static func stalled() throws -> TCPServer {
    try TCPServer { connection in
      while !connection.isEnding { System.sleep(milliseconds: 20) }
    }
  }

  package var connectionCount: Int { state.withLock(\.acceptedCount) }

  package var connections: [TCPConnection] {
    state.withLock { state in
      state.connections.removeAll { $0.isClosed }
      return state.connections
    }
  }

  /// Resets all connections (RST), as after a crash of the server's computer.
  package func reset() {
    for connection in connections { connection.reset() }
  }

  package func stop() {
    state.withLock { state in
      // The accepting thread closes the listener, so that its descriptor is not reused too early.
      if let listener = state.listener { shutdown(listener, Int32(SHUT_RDWR)) }
      state.listener = nil
    }
    for connection in connections { connection.end() }
  }

  private func startAccepting(_ listener: Int32) {
    _ = System.startThread("test") { [weak self] in
      while let self, self.state.withLock({ $0.listener == listener }) {
        guard System.wait(for: listener, writing: false, orFor: nil, milliseconds: 50),
          let client = try? System.accept(listener)
        else { continue }
        admit(client.socket)
      }
      close(listener)
    }
  }

  private func admit(_ descriptor: Int32) {
    let connection = TCPConnection(descriptor)
    state.withLock { state in
      state.acceptedCount += 1
      state.connections.removeAll { $0.isClosed }
      state.connections.append(connection)
    }
    let serve = serve
    let isStarted = System.startThread("test") {
      System.blockPipeSignal()
      serve(connection)
      connection.close()
    }
    if !isStarted { connection.close() }
  }

  /// Returns a listening socket and its port.
  fileprivate static func listen(on address: String, port: Int) throws -> (Int32, Int) {
    do throws(SystemError) {
      let descriptor = try System.openListener(at: address, port: port)
      // A small receive buffer, so that a server that stops reading is noticed soon.
      var room: Int32 = 16_384
      unsafe setsockopt(
        descriptor, SOL_SOCKET, SO_RCVBUF, &room, socklen_t(MemoryLayout<Int32>.size))
      return (descriptor, System.port(of: descriptor))
    } catch {
      throw RigFailure("Port \(port) of \(address) cannot be listened at: \(error.text).")
    }
  }
}
