/// A queue of events for the thread that reports them, which is another one or its own.
///
/// Adding an event never blocks.
package final class EventQueue<Event: Sendable>: Sendable {
  /// An event and its time.
  package struct Entry: Sendable {
    package var event: Event
    package var wallTime: Int64

    package init(event: Event, wallTime: Int64) {
      self.event = event
      self.wallTime = wallTime
    }
  }

  private struct State {
    var entries: [Entry] = []
    var droppedCount = 0
    var isFinished = false
  }

  private let state = Lock(State())
  private let wake = Semaphore()
  private let thread = Lock<WorkerThread?>(nil)
  private let limit: Int

  /// Creates a queue that drops dispensable events while `limit` entries or more are waiting.
  package init(limit: Int) {
    self.limit = limit
  }

  /// Adds an event; callable from any thread.
  package func put(_ event: Event, mayBeDropped: Bool = false) {
    let wallTime = System.wallNanoseconds
    state.withLock { state in
      if mayBeDropped && state.entries.count >= limit {
        state.droppedCount += 1
      } else {
        state.entries.append(Entry(event: event, wallTime: wallTime))
      }
    }
    wake.signal()
  }

  /// Returns the events since the last call, and the number of dropped ones.
  package func takeAll() -> (entries: [Entry], droppedCount: Int) {
    state.withLock { state in
      defer {
        state.entries = []
        state.droppedCount = 0
      }
      return (state.entries, state.droppedCount)
    }
  }

  /// Starts a thread that calls `report` after every event, and at least every `milliseconds`.
  package func start(milliseconds: Int, _ report: @escaping @Sendable () -> Void) {
    let newThread = WorkerThread("console") { [self] in
      while !state.withLock(\.isFinished) {
        _ = wake.wait(milliseconds: milliseconds)
        report()
      }
    }
    thread.withLock { $0 = newThread }
  }

  /// Ends the thread after a last report, and waits for it.
  package func finish() {
    state.withLock { $0.isFinished = true }
    wake.signal()
    let worker = thread.withLock { thread in
      defer { thread = nil }
      return thread
    }
    worker?.join()
  }
}
