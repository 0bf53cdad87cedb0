import AacornSystem

/// The connections of an engine, by their numbers.
final class EngineTable: Sendable {
  private struct State {
    var connections: [Int32: EngineConnection] = [:]
    var lastNumber: Int32 = 0
    var lingeringCount = 0
  }

  private let state = Lock(State())

  /// The most clients that are read from after their answer; more would take descriptors from
  /// clients that deserve them.
  private static let lingeringLimit = 32

  var count: Int { state.withLock { $0.connections.count } }

  var all: [EngineConnection] { state.withLock { Array($0.connections.values) } }

  /// Adds a connection that is made of its number.
  func add(_ make: (Int32) -> EngineConnection) -> EngineConnection {
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

  /// Whether one more may be read from after its answer.
  func beginLingering() -> Bool {
    state.withLock { state in
      if state.lingeringCount >= Self.lingeringLimit { return false }
      state.lingeringCount += 1
      return true
    }
  }

  func endLingering() { state.withLock { $0.lingeringCount -= 1 } }

  /// Ends a connection soon.
  func cut(_ number: Int32) { state.withLock { $0.connections[number] }?.cut() }

  /// What is known of a client.
  func glance(at number: Int32) -> HTTPPlaces.Glance {
    let connection = state.withLock { $0.connections[number] }
    // The engine itself notes the first byte of a request.
    return HTTPPlaces.Glance(hasFinished: connection.map { $0.presence != .present } ?? true)
  }
}
