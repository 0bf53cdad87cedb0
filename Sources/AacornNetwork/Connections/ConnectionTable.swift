import AacornSystem

/// The connections of a server, by number.
final class ConnectionTable: Sendable {
  private struct State {
    var connections: [Int32: ClientConnection] = [:]
    var lastNumber: Int32 = 0
    var drainingCount = 0
  }

  private let state = Lock(State())

  /// The maximum number of clients whose input is discarded after the response.
  ///
  /// More would use descriptors that other clients need.
  private static let drainingLimit = 32

  var count: Int { state.withLock { $0.connections.count } }

  var all: [ClientConnection] { state.withLock { Array($0.connections.values) } }

  /// Adds a connection that `make` creates from its number.
  func add(_ make: (Int32) -> ClientConnection) -> ClientConnection {
    state.withLock { state in
      repeat {
        state.lastNumber = state.lastNumber == .max ? 1 : state.lastNumber + 1
      } while state.connections[state.lastNumber] != nil
      let connection = make(state.lastNumber)
      state.connections[state.lastNumber] = connection
      return connection
    }
  }

  func remove(_ number: Int32) { state.withLock { _ = $0.connections.removeValue(forKey: number) } }

  /// Returns whether the input of one more client may be discarded after its response.
  func beginDraining() -> Bool {
    state.withLock { state in
      if state.drainingCount >= Self.drainingLimit { return false }
      state.drainingCount += 1
      return true
    }
  }

  func endDraining() { state.withLock { $0.drainingCount -= 1 } }

  /// Closes a connection soon.
  func disconnect(_ number: Int32) { state.withLock { $0.connections[number] }?.disconnect() }

  /// Returns whether the client of a connection has ended its input.
  func hasFinished(_ number: Int32) -> Bool {
    state.withLock { $0.connections[number] }?.hasEnded ?? true
  }
}
