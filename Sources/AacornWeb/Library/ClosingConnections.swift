#if !canImport(Network)
import AacornSystem
import CAacornMicroHTTPD

/// The clients that received a response before they had sent their whole request, and are still
/// sending.
///
/// Closing a connection while bytes arrive makes the system reset it. On many systems the reset
/// discards a response that the client has not read yet (RFC 9112 9.6). So further input is read
/// and discarded for a limited time.
final class ClosingConnections: Sendable {
  private struct State {
    /// The numbers of connections whose input must be discarded once they are closed.
    var expected: Set<Int> = []
    /// The sockets, each with the end of its time.
    var sockets: [(descriptor: Int32, endTime: Int64)] = []
    var isClosed = false
  }

  private let state = Lock(State())

  /// The maximum number of sockets.
  ///
  /// More would use descriptors that other clients need.
  private static let limit = 32
  /// The maximum time per client, in nanoseconds.
  private static let drainTimeout: Int64 = 2_000_000_000

  /// Records that a client received an early response.
  func expect(_ number: Int) { state.withLock { _ = $0.expected.insert(number) } }

  /// Keeps the socket of a connection that is about to be closed, if its client received an early
  /// response.
  ///
  /// Returns true if no other socket was kept, so that draining must start.
  func leave(_ number: Int, _ socket: Int32, at now: Int64) -> Bool {
    state.withLock { state in
      guard state.expected.remove(number) != nil, !state.isClosed,
        state.sockets.count < Self.limit
      else { return false }
      let descriptor = aacorn_mhd_duplicate(socket)
      if descriptor < 0 { return false }
      state.sockets.append((descriptor, now + Self.drainTimeout))
      return state.sockets.count == 1
    }
  }

  /// Discards the input of the sockets.
  ///
  /// Returns whether any sockets remain.
  func drain(at now: Int64) -> Bool {
    state.withLock { state in
      state.sockets.removeAll { socket in
        let isFinished = aacorn_mhd_drain(socket.descriptor) != 0 || now >= socket.endTime
        if isFinished { try? System.close(socket.descriptor) }
        return isFinished
      }
      return !state.sockets.isEmpty
    }
  }

  /// Closes all sockets, and accepts no more.
  func close() {
    state.withLock { state in
      state.isClosed = true
      for socket in state.sockets { try? System.close(socket.descriptor) }
      state.sockets = []
    }
  }
}
#endif
