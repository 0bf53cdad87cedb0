import AacornSystem

/// Says whose turn it is: that of many lines at once, or of one alone, which may end the program.
///
/// Who wants to be alone waits for those at work, and holds up everybody who has not begun.
final class BatchTurns: Sendable {
  let state = Lock(State())

  struct State {
    var workerCount = 0
    var isAlone = false
    /// Those who wait to be alone.
    var waitingCount = 0
  }

  /// Waits for a turn, which `leave` ends.
  func take(alone: Bool) {
    if alone { state.withLock { $0.waitingCount += 1 } }
    while !state.withLock({ Self.take(&$0, alone: alone) }) { System.sleep(milliseconds: 5) }
  }

  private static func take(_ state: inout State, alone: Bool) -> Bool {
    let isFree = alone ? state.workerCount == 0 : !state.isAlone && state.waitingCount == 0
    if isFree {
      state.workerCount += 1
      state.isAlone = alone
      if alone { state.waitingCount -= 1 }
    }
    return isFree
  }

  /// Lets others have their turn.
  func leave() {
    state.withLock { state in
      state.workerCount -= 1
      state.isAlone = false
    }
  }
}
