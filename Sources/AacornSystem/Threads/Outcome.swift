/// A one-shot result that threads and tasks can wait for.
package final class Outcome<Value: Sendable>: Sendable {
  private struct State {
    var value: Value?
    var isReported = false
    var waiters: [CheckedContinuation<Value, Never>] = []

    /// The result, once waiting threads and tasks may receive it.
    var result: Value? { isReported ? value : nil }
  }

  private let state = Lock(State())
  private let isReported = Semaphore()

  package init() {}

  /// The result, which `resolve` stores before it calls `report`; nil before the end.
  package var value: Value? { state.withLock { $0.value } }

  /// Stores the result, calls `report`, and then resumes the waiting threads and tasks.
  ///
  /// Only the first call has an effect. `report` must not wait for this outcome.
  package func resolve(_ value: Value, report: () -> Void = {}) {
    let isFirst = state.withLock { state in
      if state.value != nil { return false }
      state.value = value
      return true
    }
    guard isFirst else { return }
    report()
    let waiters = state.withLock { state in
      state.isReported = true
      defer { state.waiters = [] }
      return state.waiters
    }
    isReported.signal()
    for waiter in waiters { waiter.resume(returning: value) }
  }

  /// Waits until the result has been reported, at most this long.
  package func wait(for time: Duration) -> Value? {
    if let result = state.withLock(\.result) { return result }
    // Each waiting thread wakes the next one.
    if isReported.wait(milliseconds: time.millisecondsToWait) { isReported.signal() }
    return state.withLock(\.result)
  }

  /// Waits until the result has been reported, without blocking a thread.
  package func wait() async -> Value {
    await withCheckedContinuation { continuation in
      let result = state.withLock { state -> Value? in
        if !state.isReported { state.waiters.append(continuation) }
        return state.result
      }
      if let result { continuation.resume(returning: result) }
    }
  }
}
