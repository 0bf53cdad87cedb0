import AacornSystem

/// Events on their way to the thread that tells of them; whoever hands one over never waits.
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

  /// A queue that takes no more dispensable events once so many wait.
  init(limit: Int) {
    self.limit = limit
  }

  /// Takes an event; may be called from any thread.
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

  /// What has come since the last call, and how many events had no room.
  func takeAll() -> (entries: [Entry], droppedCount: Int) {
    state.withLock { state in
      defer {
        state.entries = []
        state.droppedCount = 0
      }
      return (state.entries, state.droppedCount)
    }
  }

  /// Whether nothing more is to be waited for.
  var isFinished: Bool { state.withLock(\.isFinished) }

  /// Ends the wait of the thread.
  func finish() {
    state.withLock { $0.isFinished = true }
    wake.signal()
  }

  /// Ends one wait.
  func nudge() { wake.signal() }

  /// Waits for an event, and not longer than so many milliseconds.
  func wait(milliseconds: Int) { _ = wake.wait(milliseconds: milliseconds) }
}
