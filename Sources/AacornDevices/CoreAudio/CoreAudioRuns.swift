import AacornSystem

/// The consecutive runs of a source or target, each on its own thread.
final class CoreAudioRuns: Sendable {
  /// The name of the opened device, for errors.
  private let title: String
  /// The state that the current or last run shares with its thread.
  private let run: Lock<(state: CoreAudioState, isRunning: Bool)>

  init(_ title: String) {
    self.title = title
    run = Lock((state: CoreAudioState(title), isRunning: false))
  }

  var state: CoreAudioState { run.withLock { $0.state } }

  /// Runs the work on a new thread, and waits until the device is open or cannot be opened.
  func start(
    _ work: @escaping @Sendable (CoreAudioState) -> Void
  ) throws(DeviceError) {
    let state = CoreAudioState(title)
    let isFirst = run.withLock { run in
      if run.isRunning { return false }
      run = (state, true)
      return true
    }
    guard isFirst else { throw .alreadyRunning(id: title) }
    let hasBegun = System.startThread { work(state) }
    do throws(DeviceError) {
      if !hasBegun { throw startError("the system has no threads left") }
      try state.waitForOpening()
    } catch {
      run.withLock { if $0.state === state { $0.isRunning = false } }
      throw error
    }
  }

  /// Ends the run, if there is one.
  func stop() {
    let state = run.withLock { run -> CoreAudioState? in
      guard run.isRunning else { return nil }
      run.isRunning = false
      return run.state
    }
    state?.stop()
  }

  private func startError(_ reason: String) -> DeviceError {
    .system(operation: "start", id: title, reason: reason)
  }
}
