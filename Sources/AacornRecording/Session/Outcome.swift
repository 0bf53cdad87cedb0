import AacornSystem

/// What something ends with, and those who wait for that.
package final class Outcome<Summary: Sendable>: Sendable {
  private struct State {
    var summary: Summary?
    var waiters: [CheckedContinuation<Summary, Never>] = []
  }

  private let state = Lock(State())
  private let isTold = Semaphore()

  /// The outcome of something that goes on.
  package init() {}

  /// The summary; nil before the end.
  package var summary: Summary? { state.withLock { $0.summary } }

  /// Notes the end, the first time; false if it was noted before.
  package func settle(_ summary: Summary) -> Bool {
    state.withLock { state in
      if state.summary != nil { return false }
      state.summary = summary
      return true
    }
  }

  /// Tells those who wait, once the end is noted.
  package func tell() {
    let waiters = state.withLock { state -> [CheckedContinuation<Summary, Never>] in
      if state.summary == nil { return [] }
      defer { state.waiters = [] }
      return state.waiters
    }
    guard let summary else { return }
    isTold.signal()
    for waiter in waiters { waiter.resume(returning: summary) }
  }

  /// Waits for the end, for at most this time.
  package func wait(for time: Duration) -> Summary? {
    // Each passes on to the next of those who wait.
    if summary == nil, isTold.wait(milliseconds: time.millisecondsToWait) { isTold.signal() }
    return summary
  }

  /// Waits for the end without blocking a thread.
  package func wait() async -> Summary {
    await withCheckedContinuation { continuation in
      let summary = state.withLock { state -> Summary? in
        if state.summary == nil { state.waiters.append(continuation) }
        return state.summary
      }
      if let summary { continuation.resume(returning: summary) }
    }
  }
}
