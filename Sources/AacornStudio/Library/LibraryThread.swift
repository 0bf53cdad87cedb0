import AacornSystem

/// A thread that does one thing after the other for as long as there are some, and looks again
/// after a while, or when it is woken.
final class LibraryThread: Sendable {
  private struct State {
    var isStopping = false
    var isRunning = false
  }

  private let state = Lock(State())
  private let news = Semaphore()
  private let end = Semaphore()

  /// Starts it; `turn` does a part of the work, and returns for how many milliseconds there is
  /// nothing to do then.
  func start(_ turn: @escaping @Sendable () -> Int) {
    let isFirst = state.withLock { state in
      if state.isStopping || state.isRunning { return false }
      state.isRunning = true
      return true
    }
    guard isFirst else { return }
    let isStarted = System.startThread { [self] in
      while !isStopping {
        let pause = turn()
        if pause > 0 && !isStopping { _ = news.wait(milliseconds: pause) }
      }
      state.withLock { $0.isRunning = false }
      end.signal()
    }
    if !isStarted { state.withLock { $0.isRunning = false } }
  }

  /// Has it look for work at once.
  func wake() { news.signal() }

  /// Whether the work that is going on should end.
  var isStopping: Bool { state.withLock { $0.isStopping } }

  /// Has it end after what it is doing.
  func cancel() {
    state.withLock { $0.isStopping = true }
    news.signal()
  }

  /// Has it end, and waits for that; not to be called by itself.
  func stop() {
    cancel()
    while state.withLock({ $0.isRunning }) { _ = end.wait(milliseconds: 100) }
  }
}
