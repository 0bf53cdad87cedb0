import AacornSystem

/// Events for the thread that reports them; adding one never waits.
final class EventQueue<Event: Sendable>: Sendable {
  /// An event and when it happened.
  struct Entry: Sendable {
    var event: Event
    var wallTime: Int64
  }

  private struct State {
    var entries: [Entry] = []
    var droppedCount = 0
    var isFinished = false
  }

  private let state = Lock(State())
  private let wake = Semaphore()
  private let limit: Int

  /// Creates a queue that accepts no more dispensable events once this many wait.
  init(limit: Int) {
    self.limit = limit
  }

  /// Adds an event; may be called from any thread.
  func put(_ event: Event, isDispensable: Bool = false) {
    let wallTime = System.wallNanoseconds
    state.withLock { state in
      if isDispensable && state.entries.count >= limit {
        state.droppedCount += 1
      } else {
        state.entries.append(Entry(event: event, wallTime: wallTime))
      }
    }
    wake.signal()
  }

  /// The events since the last call, and how many others were dropped.
  func takeAll() -> (entries: [Entry], droppedCount: Int) {
    state.withLock { state in
      defer {
        state.entries = []
        state.droppedCount = 0
      }
      return (state.entries, state.droppedCount)
    }
  }

  /// Whether there is nothing more to wait for.
  var isFinished: Bool { state.withLock(\.isFinished) }

  /// Ends the wait of the thread.
  func finish() {
    state.withLock { $0.isFinished = true }
    wake.signal()
  }

  /// Ends one wait.
  func nudge() { wake.signal() }

  /// Waits for an event, for at most this many milliseconds.
  func wait(milliseconds: Int) { _ = wake.wait(milliseconds: milliseconds) }
}
