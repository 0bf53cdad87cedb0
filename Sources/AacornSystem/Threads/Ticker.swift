/// A thread that works in steps, and sleeps between them until a timeout or `wake`.
package final class Ticker: Sendable {
  private struct State {
    var isStopping = false
    var isRunning = false
  }

  private let name: String
  private let state = Lock(State())
  private let wakeSignal = Semaphore()
  private let end = Semaphore()

  /// Creates a ticker whose thread will have a name of at most 15 bytes.
  package init(_ name: String) { self.name = name }

  /// Starts the thread.
  ///
  /// `step` does part of the work, and returns the number of milliseconds until the next call.
  /// `work` is the state that only the thread uses. `atEnd` runs after the last step.
  package func start<Work: Sendable>(
    with work: Work, _ step: @escaping @Sendable (inout Work) -> Int,
    atEnd: @escaping @Sendable () -> Void = {}
  ) {
    let isFirst = state.withLock { state in
      if state.isStopping || state.isRunning { return false }
      state.isRunning = true
      return true
    }
    guard isFirst else { return }
    let isStarted = System.startThread(name) { [self] in
      repeatSteps(work, step)
      atEnd()
      state.withLock { $0.isRunning = false }
      end.signal()
    }
    if !isStarted { state.withLock { $0.isRunning = false } }
  }

  /// Calls `step` until the end, and releases the state of the work.
  private func repeatSteps<Work>(_ work: Work, _ step: (inout Work) -> Int) {
    var work = work
    while !isStopping {
      let pause = step(&work)
      if pause > 0 && !isStopping { _ = wakeSignal.wait(milliseconds: pause) }
    }
  }

  /// Wakes the thread to check for work now.
  package func wake() { wakeSignal.signal() }

  /// Whether the current work should end.
  package var isStopping: Bool { state.withLock { $0.isStopping } }

  /// Ends the thread after its current task.
  package func cancel() {
    state.withLock { $0.isStopping = true }
    wakeSignal.signal()
  }

  /// Ends the thread, and waits at most this long for its end; returns false if it has not ended.
  ///
  /// Must not be called on the thread itself.
  package func stop(milliseconds: Int) -> Bool {
    cancel()
    guard state.withLock(\.isRunning) else { return true }
    let hasEnded = end.wait(milliseconds: milliseconds)
    // Each waiting thread wakes the next one.
    if hasEnded { end.signal() }
    return hasEnded
  }
}
