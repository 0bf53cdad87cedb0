import AacornSystem

/// Does work in order of arrival on its own thread, so that its callers need not wait.
final class StudioWorker: Sendable {
  private struct Queue {
    var work: [@Sendable () -> Void] = []
    var isStopping = false
  }

  /// What the thread shares with the worker without keeping it alive.
  private final class Desk: Sendable {
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

  private let desk = Desk()
  private let thread: Lock<WorkerThread?>

  /// Creates a worker with nothing to do.
  init() {
    let desk = desk
    thread = Lock(WorkerThread { desk.serve() })
  }

  deinit { end(waits: false, nil) }

  /// Queues a task after all earlier ones; false after `stop`, when nothing more is done.
  ///
  /// If the system had no thread left, the task is done here and now.
  @discardableResult
  func run(_ work: @escaping @Sendable () -> Void) -> Bool {
    let hasThread = thread.withLock { $0 != nil }
    let isTaken = desk.queue.withLock { queue in
      if queue.isStopping || !hasThread { return false }
      queue.work.append(work)
      return true
    }
    if isTaken {
      desk.wake.signal()
    } else {
      if desk.queue.withLock(\.isStopping) { return false }
      work()
    }
    return true
  }

  /// Finishes the queued tasks, does a last one, and ends the thread.
  ///
  /// Must not be called on that thread. If it has ended already, the last task is not done either.
  func stop(after last: (@Sendable () -> Void)? = nil) { end(waits: true, last) }

  private func end(waits: Bool, _ last: (@Sendable () -> Void)?) {
    let (present, isFirst) = thread.withLock { thread in
      defer { thread = nil }
      // Together with the end, so that nothing can come between them.
      let isFirst = desk.queue.withLock { queue in
        defer { queue.isStopping = true }
        if queue.isStopping { return false }
        if let last, thread != nil { queue.work.append(last) }
        return true
      }
      return (thread, isFirst)
    }
    desk.wake.signal()
    // The thread's last owner may be the task itself, whose thread would then wait for itself.
    if waits { present?.join() } else { present?.detach() }
    if isFirst && present == nil { last?() }
  }
}
