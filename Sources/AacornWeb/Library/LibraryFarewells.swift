#if !canImport(Network)
import AacornSystem
import CAacornMicroHTTPD

/// Clients that were answered before they had sent everything, and are still sending.
///
/// Closing a connection while bytes arrive makes the system tell the client that it is broken, and
/// on many systems that discards an answer that the client has not read yet (RFC 9112 9.6). So
/// incoming bytes are read and discarded for a while.
final class LibraryFarewells: Sendable {
  private struct State {
    /// Numbers of connections to be drained once they are closed.
    var expected: Set<Int> = []
    /// Sockets, and until when to drain them.
    var sockets: [(descriptor: Int32, endTime: Int64)] = []
    var isClosed = false
  }

  private let state = Lock(State())

  /// More would take descriptors from clients that deserve them.
  private static let limit = 32
  /// Nanoseconds.
  private static let patience: Int64 = 2_000_000_000

  /// Notes that a client was answered early.
  func expect(_ number: Int) { state.withLock { _ = $0.expected.insert(number) } }

  /// Handles a connection about to be closed; true if it is the first one kept for a while.
  func leave(_ number: Int, _ socket: Int32, at now: Int64) -> Bool {
    state.withLock { state in
      guard state.expected.remove(number) != nil, !state.isClosed,
        state.sockets.count < Self.limit
      else { return false }
      let descriptor = aacorn_mhd_duplicate(socket)
      if descriptor < 0 { return false }
      state.sockets.append((descriptor, now + Self.patience))
      return state.sockets.count == 1
    }
  }

  /// Drains the sockets; whether any are left.
  func drain(at now: Int64) -> Bool {
    state.withLock { state in
      state.sockets.removeAll { socket in
        let isOver = aacorn_mhd_drain(socket.descriptor) != 0 || now >= socket.endTime
        if isOver { try? System.close(socket.descriptor) }
        return isOver
      }
      return !state.sockets.isEmpty
    }
  }

  /// Releases all sockets and accepts no more.
  func close() {
    state.withLock { state in
      state.isClosed = true
      for socket in state.sockets { try? System.close(socket.descriptor) }
      state.sockets = []
    }
  }
}
#endif
