import AacornSystem

/// Work of an actor that runs on a separate thread, one piece at a time, in the order of the calls.
package final class SerialWork: Sendable {
  private struct State {
    var waiting: [@Sendable () -> Void] = []
    var isRunning = false
  }

  private let state = Lock(State())

  package init() {}

  /// Runs work after the work of all earlier calls, and returns its result.
  ///
  /// The caller's actor makes no other call before the work is queued.
  package func value<Value: Sendable>(
    isolation: isolated (any Actor)? = #isolation, of work: @escaping @Sendable () -> Value
  ) async -> Value {
    await withCheckedContinuation { continuation in
      append { continuation.resume(returning: work()) }
    }
  }

  /// Queues work, or runs it on this thread if the system has no free one: blocking is better than
  /// doing nothing.
  func append(_ work: @escaping @Sendable () -> Void) {
    let isFirst = state.withLock { state in
      state.waiting.append(work)
      defer { state.isRunning = true }
      return !state.isRunning
    }
    if isFirst && !System.startThread({ [self] in run() }) { run() }
  }

  private func run() {
    while let work = next() { work() }
  }

  private func next() -> (@Sendable () -> Void)? {
    state.withLock { state in
      state.isRunning = !state.waiting.isEmpty
      return state.isRunning ? state.waiting.removeFirst() : nil
    }
  }
}
