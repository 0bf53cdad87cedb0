import AacornSystem
import CAacornMicroHTTPD

/// Clients that were answered before they had sent everything, and are still sending.
///
/// To close a connection while bytes come has the system tell the client that it is broken, and on
/// many systems that throws away an answer that the client has not read yet (RFC 9112 9.6). So what
/// comes is taken for a while, and thrown away.
final class HTTPFarewells: Sendable {
  private struct State {
    /// Connections by number that are to be treated so once they are closed.
    var expected: Set<Int> = []
    /// Sockets, and until when something is taken from them.
    var sockets: [(descriptor: Int32, endTime: Int64)] = []
    var isClosed = false
  }

  private let state = Lock(State())

  /// More take descriptors from those who deserve them.
  private static let limit = 32
  /// Nanoseconds.
  private static let patience: Int64 = 2_000_000_000

  /// A client has been answered before its time.
  func expect(_ number: Int) { state.withLock { _ = $0.expected.insert(number) } }

  /// A connection is about to be closed; whether it is kept for a while, and is the first of such.
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

  /// Takes what has come; whether there is anybody left.
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

  /// Lets go of all, and takes no more.
  func close() {
    state.withLock { state in
      state.isClosed = true
      for socket in state.sockets { try? System.close(socket.descriptor) }
      state.sockets = []
    }
  }
}
