import AacornSystem

/// A queue of tasks with its own thread, so that callers need not wait.
final class StudioWorker: Sendable {
  private struct Queue {
    var work: [@Sendable () -> Void] = []
    var isStopping = false
  }

  /// The state that the worker shares with its thread.
  ///
  /// The thread refers only to this state, so that it does not keep the worker alive.
  private final class SharedState: Sendable {
    let queue = Lock(Queue())
    let wake = Semaphore()

    func serve() {
      while true {
        _ = wake.wait(milliseconds: 60_000)
        while let next = next() { next() }
        if queue.withLock({ $0.isStopping && $0.work.isEmpty }) { return }
      }
    }

    private func next() -> (@Sendable () -> Void)? {
      queue.withLock { $0.work.isEmpty ? nil : $0.work.removeFirst() }
    }
  }

  private let sharedState = SharedState()
  private let thread: Lock<WorkerThread?>

  /// Creates a worker with an empty queue.
  init() {
    let sharedState = sharedState
    thread = Lock(WorkerThread { sharedState.serve() })
  }

  // A task may release the last reference to the worker.
  deinit { end().thread?.detach() }

  /// Queues a task after all earlier ones; returns false after `stop`, when no more tasks run.
  ///
  /// If the system could not create a thread, the task runs immediately on the caller's thread.
  @discardableResult
  func run(_ work: @escaping @Sendable () -> Void) -> Bool {
    let hasThread = thread.withLock { $0 != nil }
    let isTaken = sharedState.queue.withLock { queue in
      if queue.isStopping || !hasThread { return false }
      queue.work.append(work)
      return true
    }
    if isTaken {
      sharedState.wake.signal()
    } else {
      if sharedState.queue.withLock(\.isStopping) { return false }
      work()
    }
    return true
  }

  /// Finishes the queued tasks, runs a last one, and ends the thread.
  ///
  /// Waits at most this long, and then abandons the thread; returns false in this case. Must not be
  /// called on the worker's thread. If the worker has already stopped, the last task does not run.
  @discardableResult
  func stop(milliseconds: Int, after last: (@Sendable () -> Void)? = nil) -> Bool {
    let (thread, isFirst) = end(last)
    if let thread { return thread.join(milliseconds: milliseconds) }
    if isFirst { last?() }
    return true
  }

  /// Ends the queue with a last task; returns the thread, and whether this is the first call.
  private func end(
    _ last: (@Sendable () -> Void)? = nil
  ) -> (thread: WorkerThread?, isFirst: Bool) {
    defer { sharedState.wake.signal() }
    return thread.withLock { thread in
      defer { thread = nil }
      // Queue the last task and set `isStopping` in one step, so that no other task is queued
      // between them.
      let isFirst = sharedState.queue.withLock { queue in
        defer { queue.isStopping = true }
        if queue.isStopping { return false }
        if let last, thread != nil { queue.work.append(last) }
        return true
      }
      return (thread, isFirst)
    }
  }
}
