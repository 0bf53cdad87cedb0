import AacornSystem
import Foundation

/// Stands between a client and a server on this computer, and does what networks do.
public final class FaultyProxy: Sendable {
  /// How it treats the bytes, in both directions.
  public enum Mode: Sendable, Equatable {
    /// Passes all.
    case pass
    /// Takes nothing more, and says nothing.
    case stall
    /// Passes at most so many bytes a second.
    case slow(bytesPerSecond: Int)
    /// Holds up each piece with this probability for 200 ms, as long as TCP on a quick network
    /// takes to send again what was lost.
    case lossy(probability: Double)
  }

  private struct State {
    var mode: Mode
    var random: UInt64 = 1
    var passedByteCount = 0
  }

  private let state: Lock<State>
  private let server: TCPServer

  /// A proxy, at a free port, to a port of this computer.
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

  /// The port where clients find it.
  public var port: Int { server.port }

  /// Connections that clients have made so far.
  public var connectionCount: Int { server.connectionCount }

  /// Connections that are open.
  public var openConnectionCount: Int { server.connections.count }

  /// Bytes passed on so far, in both directions.
  public var passedByteCount: Int { state.withLock(\.passedByteCount) }

  /// How it treats bytes from now on.
  public var mode: Mode {
    get { state.withLock(\.mode) }
    set { state.withLock { $0.mode = newValue } }
  }

  /// Breaks all connections (RST).
  public func reset() { server.reset() }

  /// Takes no further connections; those there are go on.
  public func refuse() { server.refuse() }

  /// Takes connections again.
  public func reopen() throws { try server.reopen() }

  /// Ends it and its connections.
  public func stop() { server.stop() }

  private static func pump(
    from source: TCPConnection, to target: TCPConnection, _ state: Lock<State>
  ) {
    while !source.isEnding && !target.isEnding {
      let (mode, isHeldUp) = state.withLock { ($0.mode, holdsUp(&$0)) }
      if mode == .stall {
        usleep(5_000)
        continue
      }
      guard source.isReadable(milliseconds: 20) else { continue }
      var limit = 1448
      if case .slow(let rate) = mode { limit = min(limit, max(1, rate / 50)) }
      guard let bytes = source.read(limit: limit) else { break }
      if isHeldUp { usleep(200_000) }
      if case .slow(let rate) = mode {
        usleep(UInt32(bytes.count * 1_000_000 / max(1, rate)))
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

  /// The same decisions in every run.
  private static func holdsUp(_ state: inout State) -> Bool {
    guard case .lossy(let probability) = state.mode else { return false }
    state.random = state.random &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
    return Double(state.random >> 11) / Double(1 << 53) < probability
  }
}
