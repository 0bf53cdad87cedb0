/// Work that runs one piece at a time, in the order of the calls.
///
/// A thread exists only while there is work.
package final class SerialWork: Sendable {
  private struct State {
    var waiting: [@Sendable () -> Void] = []
    var isRunning = false
    var isStopped = false
  }

  private let name: String
  private let state = Lock(State())
  /// Signaled when no work is left after `stop`.
  private let ended = Semaphore()

  /// Creates work whose thread has a name of at most 15 bytes.
  package init(_ name: String) { self.name = name }

  /// Runs work after the work of all earlier calls, and returns its result; must not be called
  /// after `stop`.
  ///
  /// The caller's actor makes no other call before the work is queued.
  package func value<Value: Sendable>(
    isolation: isolated (any Actor)? = #isolation, of work: @escaping @Sendable () -> Value
  ) async -> Value {
    await withCheckedContinuation { continuation in
      run { continuation.resume(returning: work()) }
    }
  }

  /// Queues work, or runs it on this thread if the system has no free one: blocking is better than
  /// doing nothing.
  ///
  /// Returns false after `stop`, when no more work runs.
  @discardableResult
  package func run(_ work: @escaping @Sendable () -> Void) -> Bool { append(work, isLast: false) }

  /// Finishes the queued work, and then runs a last piece, which does not run if the work has
  /// already been stopped.
  ///
  /// Waits at most this long, and then abandons the work; returns false in this case. A second call
  /// returns true immediately, even if the work has not ended. The work itself must not call this
  /// method.
  @discardableResult
  package func stop(milliseconds: Int, after last: (@Sendable () -> Void)? = nil) -> Bool {
    if last == nil && stopIfIdle() { return true }
    return !append(last ?? {}, isLast: true) || ended.wait(milliseconds: milliseconds)
  }

  /// Stops without a thread if there is no work; returns false if there is.
  private func stopIfIdle() -> Bool {
    state.withLock { state in
      if !state.isRunning { state.isStopped = true }
      return !state.isRunning
    }
  }

  private func append(_ work: @escaping @Sendable () -> Void, isLast: Bool) -> Bool {
    let (isTaken, isFirst) = state.withLock { state in
      if state.isStopped { return (false, false) }
      state.isStopped = isLast
      state.waiting.append(work)
      defer { state.isRunning = true }
      return (true, !state.isRunning)
    }
    if isFirst && !System.startThread(name, { [self] in serve() }) { serve() }
    return isTaken
  }

  private func serve() {
    while let work = next() { work() }
  }

  private func next() -> (@Sendable () -> Void)? {
    let (work, hasEnded) = state.withLock { state in
      state.isRunning = !state.waiting.isEmpty
      let work = state.isRunning ? state.waiting.removeFirst() : nil
      return (work, work == nil && state.isStopped)
    }
    if hasEnded { ended.signal() }
    return work
  }
}
