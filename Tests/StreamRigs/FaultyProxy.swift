import AacornSystem

/// A proxy between a client and a server on this computer that simulates network faults.
public final class FaultyProxy: Sendable {
  /// The treatment of bytes, in both directions.
  public enum Mode: Sendable, Equatable {
    /// Forwards all bytes.
    case pass
    /// Reads nothing and forwards nothing.
    case stall
    /// Forwards at most this number of bytes per second.
    case slow(bytesPerSecond: Int)
    /// Delays each piece with this probability by 200 ms, the time in which TCP resends lost data
    /// on a fast network.
    case lossy(probability: Double)
  }

  private struct State {
    var mode: Mode
    var random: UInt64 = 1
    var passedByteCount = 0
  }

  private let state: Lock<State>
  private let server: TCPServer

  /// Starts a proxy at a free port in front of the port `target` of this computer.
  public init(to target: Int, mode: Mode = .pass) throws {
    let state = Lock(State(mode: mode))
    self.state = state
    server = try TCPServer { client in
      guard let server = TCPConnection(toPort: target) else { return }
      let isDone = Semaphore()
      let isStarted = System.startThread {
        System.blockPipeSignal()
        Self.pump(from: server, to: client, state)
        isDone.signal()
      }
      guard isStarted else { return server.close() }
      Self.pump(from: client, to: server, state)
      while !isDone.wait(milliseconds: 20) { if client.isEnding { server.end() } }
      if client.isReset { server.reset() }
      server.close()
    }
  }

  /// The port that clients connect to.
  public var port: Int { server.port }

  /// The number of connections that clients have made.
  public var connectionCount: Int { server.connectionCount }

  /// The number of open connections.
  public var openConnectionCount: Int { server.connections.count }

  /// The number of bytes forwarded in both directions.
  public var passedByteCount: Int { state.withLock(\.passedByteCount) }

  /// The current treatment of bytes.
  public var mode: Mode {
    get { state.withLock(\.mode) }
    set { state.withLock { $0.mode = newValue } }
  }

  /// Breaks all connections (RST).
  public func reset() { server.reset() }

  /// Stops accepting connections; open connections continue.
  public func refuse() { server.refuse() }

  /// Accepts connections again.
  public func reopen() throws { try server.reopen() }

  /// Stops the proxy and closes its connections.
  public func stop() { server.stop() }

  private static func pump(
    from source: TCPConnection, to target: TCPConnection, _ state: Lock<State>
  ) {
    while !source.isEnding && !target.isEnding {
      let (mode, isHeldUp) = state.withLock { ($0.mode, delaysNext(&$0)) }
      if mode == .stall {
        System.sleep(milliseconds: 5)
        continue
      }
      guard source.isReadable(milliseconds: 20) else { continue }
      var limit = 1448
      if case .slow(let rate) = mode { limit = min(limit, max(1, rate / 50)) }
      guard let bytes = source.read(limit: limit) else { break }
      if isHeldUp { System.sleep(milliseconds: 200) }
      if case .slow(let rate) = mode {
        System.sleep(milliseconds: max(1, bytes.count * 1000 / max(1, rate)))
      }
      guard target.write(bytes) else { break }
      state.withLock { $0.passedByteCount += bytes.count }
    }
    if source.isEnding || target.isEnding {
      source.end()
      target.end()
    } else {
      target.finishWriting()
    }
  }

  /// Returns a pseudorandom decision, the same in every run.
  private static func delaysNext(_ state: inout State) -> Bool {
    guard case .lossy(let probability) = state.mode else { return false }
    state.random = state.random &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
    return Double(state.random >> 11) / Double(1 << 53) < probability
  }
}
