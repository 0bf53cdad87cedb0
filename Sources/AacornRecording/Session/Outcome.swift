import AacornSystem

/// A one-shot result that threads and tasks can wait for.
package final class Outcome<Summary: Sendable>: Sendable {
  private struct State {
    var summary: Summary?
    var waiters: [CheckedContinuation<Summary, Never>] = []
  }

  private let state = Lock(State())
  private let isResolved = Semaphore()

  /// Creates an outcome without a result.
  package init() {}

  /// The result; nil before the end.
  package var summary: Summary? { state.withLock { $0.summary } }

  /// Stores the result, the first time; returns false if there is one already.
  package func resolve(_ summary: Summary) -> Bool {
    state.withLock { state in
      if state.summary != nil { return false }
      state.summary = summary
      return true
    }
  }

  /// Resumes the waiting threads and tasks, once the result is stored.
  package func notifyWaiters() {
    let waiters = state.withLock { state -> [CheckedContinuation<Summary, Never>] in
      if state.summary == nil { return [] }
      defer { state.waiters = [] }
      return state.waiters
    }
    guard let summary else { return }
    isResolved.signal()
    for waiter in waiters { waiter.resume(returning: summary) }
  }

  /// Waits for the result, at most this long.
  package func wait(for time: Duration) -> Summary? {
    // Each waiting thread wakes the next one.
    if summary == nil, isResolved.wait(milliseconds: time.millisecondsToWait) {
      isResolved.signal()
    }
    return summary
  }

  /// Waits for the result without blocking a thread.
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
