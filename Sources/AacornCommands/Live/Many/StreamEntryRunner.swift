import AacornDevices
import AacornRecording
import AacornStreaming
import AacornSystem

/// A runner of one stream on its own thread, which restarts the stream after failures until it is
/// stopped.
///
/// Streams share only processors and the event queue, which never blocks.
final class StreamEntryRunner: Sendable {
  let entry: StreamEntry

  private struct State {
    /// The snapshot, without the details of the run.
    var snapshot: StreamEntrySnapshot
    /// Ends the current run.
    var interruption: Interruption?
    var statusStore: LiveStatusStore?
    var isStopping = false
    /// The time by which the next run must start, in seconds; nil unless the wait is shortened.
    var latestStart: Double?
    var endCallbacks: [@Sendable () -> Void] = []
    /// The names of the streams that must end first.
    var predecessors: [String] = []
  }

  private let state: Lock<State>
  /// Ends a wait for the next run or for predecessors.
  private let wake = Semaphore()
  /// Creates the console of a run.
  private let console: @Sendable (Interruption) -> Console
  private let events: @Sendable (StreamEntryEvent) -> Void
  /// The time in seconds after which a wait for predecessors is reported.
  private let waitWarningDelay: Double

  /// Creates a stream that has not started.
  ///
  /// After `waitWarningDelay` seconds of waiting for predecessors the runner reports a warning to
  /// `events`. `console` creates the console of a run that an interruption ends.
  init(
    _ entry: StreamEntry, waitWarningDelay: Double = 10,
    console: @escaping @Sendable (Interruption) -> Console,
    events: @escaping @Sendable (StreamEntryEvent) -> Void
  ) {
    self.entry = entry
    state = Lock(State(snapshot: StreamEntrySnapshot(name: entry.name)))
    self.waitWarningDelay = waitWarningDelay
    self.console = console
    self.events = events
  }

  /// Starts after a delay in milliseconds, when all `predecessors` that use the same resources have
  /// ended.
  func start(after predecessors: [StreamEntryRunner] = [], delay: Int = 0) {
    state.withLock { $0.predecessors = predecessors.map(\.entry.name) }
    for predecessor in predecessors {
      let name = predecessor.entry.name
      predecessor.callAtEnd { [self] in
        state.withLock { state in
          if let index = state.predecessors.firstIndex(of: name) {
            state.predecessors.remove(at: index)
          }
        }
        wake.signal()
      }
    }
    if !System.startThread({ [self] in work(after: delay) }) {
      events(.warning("The system has no threads left for \(entry.name)."))
      finish(.failed, .cannotRead)
    }
  }

  /// Requests an orderly stop without waiting for it.
  func stop() {
    let interruption = state.withLock { state in
      state.isStopping = true
      return state.interruption
    }
    interruption?.raise(System.terminateSignal)
    wake.signal()
  }

  /// Starts the next run after at most `delay` milliseconds, if the stream is waiting for it.
  func startSoon(after delay: Int = 0) {
    state.withLock { state in
      guard state.snapshot.state == .waiting else { return }
      state.latestStart = System.seconds + Double(delay) / 1000
    }
    wake.signal()
  }

  /// Whether the stream will not run again.
  var isFinished: Bool { state.withLock(\.snapshot.state.isFinal) }

  /// Returns the current state.
  func snapshot() -> StreamEntrySnapshot {
    var (snapshot, statusStore) = state.withLock { ($0.snapshot, $0.statusStore) }
    guard let statusStore else { return snapshot }
    snapshot.details = statusStore.snapshot()
    // After a run, mark the outputs of its last snapshot as no longer live.
    if snapshot.state != .running { snapshot.details.end() }
    return snapshot
  }

  /// Calls `body` when the stream has ended, or immediately if it already has.
  func callAtEnd(_ body: @escaping @Sendable () -> Void) {
    let isFinished = state.withLock { state in
      if !state.snapshot.state.isFinal { state.endCallbacks.append(body) }
      return state.snapshot.state.isFinal
    }
    if isFinished { body() }
  }

  // MARK: - Its thread

  private func work(after delay: Int) {
    wait(until: System.seconds + Double(delay) / 1000) { !$0.isStopping }
    waitForPredecessors()
    var pause = RestartPause(seed: UInt64(truncatingIfNeeded: System.nanoseconds))
    while true {
      let start = System.seconds
      // A requested stop between two runs is not a failure, whatever the status of the last run.
      guard let status = run() else { return finish(.stopped, .success) }
      if state.withLock(\.isStopping) { return finish(.stopped, status) }
      switch entry.restart.decision(after: status) {
      case .end: return finish(.ended, status)
      case .giveUp: return finish(.failed, status)
      case .restart:
        let startedEarly = wait(pause.next(afterRunOf: System.seconds - start), after: status)
        // A reload means that the user may have fixed the cause, so start again with the shortest
        // delay.
        if startedEarly { pause.reset() }
      }
    }
  }

  /// Runs the stream once, or returns nil if it was stopped.
  private func run() -> ExitStatus? {
    let interruption = Interruption()
    let isWanted = state.withLock { state in
      if state.isStopping { return false }
      state.interruption = interruption
      state.snapshot.state = .running
      // A previous run has completed.
      if state.snapshot.lastStatus != nil { state.snapshot.restartCount += 1 }
      return true
    }
    guard isWanted else { return nil }
    events(.changed(entry.name, .running))
    let status = stream(in: console(interruption))
    // A signal sent by `stop` is not a failure.
    let outcome = status.code >= 128 ? .success : status
    state.withLock { state in
      state.interruption = nil
      state.snapshot.lastStatus = outcome
    }
    return outcome
  }

  private func stream(in console: Console) -> ExitStatus {
    let plan = entry.plan.withFreeNames
    do throws(DeviceError) {
      let source = try RecordSource(plan.sound, plan.configuration)
      var run = LiveRun(plan, source, in: console)
      state.withLock { $0.statusStore = run.statusStore }
      defer { console.output.flush() }
      return run.run()
    } catch {
      return plan.fail(.capture(error), in: console)
    }
  }

  /// Waits for the next run; returns whether `startSoon` shortened the wait.
  private func wait(_ milliseconds: Int, after status: ExitStatus) -> Bool {
    state.withLock { state in
      state.snapshot.state = .waiting
      state.latestStart = nil
    }
    events(.changed(entry.name, .waiting, status, milliseconds: milliseconds))
    let end = System.seconds + Double(milliseconds) / 1000
    wait(until: end) { !$0.isStopping && $0.latestStart == nil }
    let latestStart = state.withLock(\.latestStart)
    if let latestStart { wait(until: min(end, latestStart)) { !$0.isStopping } }
    return latestStart != nil
  }

  /// Waits until a time, or until a condition is false.
  private func wait(until end: Double, while condition: (State) -> Bool) {
    // Check the condition in a loop: the semaphore may still have an earlier signal.
    while state.withLock({ condition($0) }) {
      let rest = end - System.seconds
      if rest <= 0 { return }
      _ = wake.wait(milliseconds: Int(min(rest, 3600) * 1000) + 1)
    }
  }

  /// Waits until all predecessors have ended, and warns after `waitWarningDelay` seconds.
  private func waitForPredecessors() {
    let isHeld = { (state: State) in !state.predecessors.isEmpty && !state.isStopping }
    wait(until: System.seconds + waitWarningDelay, while: isHeld)
    guard state.withLock({ isHeld($0) }) else { return }
    let names = state.withLock(\.predecessors).map { "[\($0)]" }
    events(
      .warning(
        "[\(entry.name)] waits for the end of the previous \(listed(names)), and then starts."))
    wait(until: .infinity, while: isHeld)
  }

  private func finish(_ end: StreamEntryState, _ status: ExitStatus) {
    // Report the end first: the main thread may exit as soon as the stream has ended.
    events(.changed(entry.name, end, status))
    let waiting = state.withLock { state in
      (state.snapshot.state, state.snapshot.endStatus) = (end, status)
      defer { state.endCallbacks = [] }
      return state.endCallbacks
    }
    for body in waiting { body() }
  }
}
