import AacornSystem

/// A gate that admits many lines at once, or one exclusively.
///
/// A line that may crash the program is admitted exclusively: it waits until all lines in progress
/// have finished, and other lines wait for it.
final class ExclusiveGate: Sendable {
  let state = Lock(State())

  struct State {
    var workerCount = 0
    var isExclusive = false
    /// The number of threads that wait for exclusive access.
    var waitingCount = 0
  }

  /// Waits for admission, which lasts until `leave` is called.
  func enter(alone: Bool) {
    if alone { state.withLock { $0.waitingCount += 1 } }
    while !state.withLock({ Self.enter(&$0, alone: alone) }) { System.sleep(milliseconds: 5) }
  }

  private static func enter(_ state: inout State, alone: Bool) -> Bool {
    let isFree = alone ? state.workerCount == 0 : !state.isExclusive && state.waitingCount == 0
    if isFree {
      state.workerCount += 1
      state.isExclusive = alone
      if alone { state.waitingCount -= 1 }
    }
    return isFree
  }

  /// Ends the admission of the caller and wakes the waiting threads.
  func leave() {
    state.withLock { state in
      state.workerCount -= 1
      state.isExclusive = false
    }
  }
}
