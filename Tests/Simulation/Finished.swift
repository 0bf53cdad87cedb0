import AacornSystem

/// The end of a simulation, for a task outside it.
final class Finished: @unchecked Sendable {
  // Unchecked because the lock guards the state.
  private let state = Lock<(isFinished: Bool, waiting: CheckedContinuation<Void, Never>?)>(
    (false, nil))

  func finish() {
    let waiting = state.withLock { state in
      state.isFinished = true
      return state.waiting
    }
    waiting?.resume()
  }

  func wait() async {
    await withCheckedContinuation { continuation in
      let isFinished = state.withLock { state in
        state.waiting = continuation
        return state.isFinished
      }
      if isFinished { continuation.resume() }
    }
  }
}
