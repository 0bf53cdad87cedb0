import AacornDevices
import AacornRecording
import AacornStreaming
import AacornSystem

/// Runs one stream on a thread of its own, again and again if it fails, until it is asked to stop.
///
/// It shares nothing with others but the processors and the place where events are told, which nobody
/// waits for.
final class StreamEntryRunner: Sendable {
  let entry: StreamEntry

  private struct State {
    var phase = StreamEntryState.ready
    /// What ends the current run.
    var interruption: Interruption?
    var board: StreamBoard?
    var isStopping = false
    /// When the next run is to begin at the latest, although its pause is longer.
    var hurryTime: Double?
    var runCount = 0
    var lastStatus: ExitStatus?
    /// Who waits for the end.
    var whenOver: [@Sendable () -> Void] = []
    /// The names of those that must end before it may begin.
    var predecessors: [String] = []
  }

  private let state = Lock(State())
  /// Ends a wait for the next run, or for others.
  private let wake = Semaphore()
  /// The place for what one run tells.
  private let console: @Sendable (Interruption) -> Console
  private let events: @Sendable (StreamEntryEvent) -> Void
  /// Seconds of waiting for others after which that is told.
  private let patience: Double

  /// Creates a stream that has not begun.
  ///
  /// `console` makes the place where a run that an interruption ends tells what happens; how many
  /// seconds of `patience` it has with those that must end before is told then, too.
  init(
    _ entry: StreamEntry, patience: Double = 10,
    console: @escaping @Sendable (Interruption) -> Console,
    events: @escaping @Sendable (StreamEntryEvent) -> Void
  ) {
    self.entry = entry
    self.patience = patience
    self.console = console
    self.events = events
  }

  /// Begins after a delay in milliseconds, once all of `predecessors`, which have what it needs, are over.
  func start(after predecessors: [StreamEntryRunner] = [], delay: Int = 0) {
    state.withLock { $0.predecessors = predecessors.map(\.entry.name) }
    for predecessor in predecessors {
      let name = predecessor.entry.name
      predecessor.tellEnd { [self] in
        state.withLock { state in
          if let index = state.predecessors.firstIndex(of: name) {
            state.predecessors.remove(at: index)
          }
        }
        wake.signal()
      }
    }
    if !System.startThread({ [self] in work(after: delay) }) {
      events(.warning("There is no thread left for \(entry.name)."))
      conclude(.failed, .cannotRead)
    }
  }

  /// Ends it in order, without waiting for that.
  func stop() {
    let interruption = state.withLock { state in
      state.isStopping = true
      return state.interruption
    }
    interruption?.raise(System.terminateSignal)
    wake.signal()
  }

  /// Begins the next run after at most this many milliseconds if one is waited for.
  func hurry(after delay: Int = 0) {
    state.withLock { state in
      if state.phase == .waiting { state.hurryTime = System.seconds + Double(delay) / 1000 }
    }
    wake.signal()
  }

  /// Whether it will not run again.
  var isOver: Bool { state.withLock { $0.phase.isOver } }

  /// How it ended; nil if it has not.
  var end: StreamEntryState.End? {
    state.withLock { state in
      if case .over(let end) = state.phase { end } else { nil }
    }
  }

  /// How it is doing.
  func snapshot() -> StreamEntrySnapshot {
    let (snapshot, board) = state.withLock { state in
      (
        StreamEntrySnapshot(
          name: entry.name, state: state.phase, restartCount: max(0, state.runCount - 1),
          lastStatus: state.lastStatus, details: StreamSnapshot()),
        state.board
      )
    }
    guard let board else { return snapshot }
    var whole = snapshot
    whole.details = board.snapshot()
    // What the last run has left behind is not on the air.
    if snapshot.state != .running { whole.details.end() }
    return whole
  }

  /// Calls back when it is over, or at once if it is.
  func tellEnd(_ body: @escaping @Sendable () -> Void) {
    let isOver = state.withLock { state in
      if !state.phase.isOver { state.whenOver.append(body) }
      return state.phase.isOver
    }
    if isOver { body() }
  }

  // MARK: - Its thread

  private func work(after delay: Int) {
    wait(until: System.seconds + Double(delay) / 1000) { !$0.isStopping }
    waitForPredecessors()
    var pause = RestartPause(seed: UInt64(truncatingIfNeeded: System.nanoseconds))
    while true {
      let start = System.seconds
      // An end that was asked for while none ran is no failure, however the last run went.
      guard let status = run() else { return conclude(.stopped, .success) }
      if state.withLock(\.isStopping) { return conclude(.stopped, status) }
      switch entry.restart.decision(after: status) {
      case .end: return conclude(.ended, status)
      case .giveUp: return conclude(.failed, status)
      case .restart:
        let isHurried = wait(pause.next(afterRunOf: System.seconds - start), after: status)
        // Somebody has done something about it.
        if isHurried { pause.reset() }
      }
    }
  }

  /// Streams once; nil if it is not wanted any more.
  private func run() -> ExitStatus? {
    let interruption = Interruption()
    let isWanted = state.withLock { state in
      if state.isStopping { return false }
      state.interruption = interruption
      state.phase = .running
      state.runCount += 1
      return true
    }
    guard isWanted else { return nil }
    events(.started(entry.name))
    let status = stream(in: console(interruption))
    // A signal that only this run got says nothing of how it went.
    let outcome = status.code >= 128 ? .success : status
    state.withLock { state in
      state.interruption = nil
      state.lastStatus = outcome
    }
    return outcome
  }

  private func stream(in console: Console) -> ExitStatus {
    let plan = entry.plan.withFreeNames
    do throws(CaptureError) {
      let source = try RecordSource(plan.sound, plan.configuration)
      let run = StreamRun(plan, source, in: console)
      state.withLock { $0.board = run.board }
      defer { console.output.flush() }
      return run.run()
    } catch {
      let report = StreamingReport(plan, failure: .capture(error))
      report.print(in: console)
      return report.exitStatus
    }
  }

  /// Waits for the next run; whether that was hurried.
  private func wait(_ milliseconds: Int, after status: ExitStatus) -> Bool {
    state.withLock { state in
      state.phase = .waiting
      state.hurryTime = nil
    }
    events(.waiting(entry.name, status, milliseconds: milliseconds))
    let end = System.seconds + Double(milliseconds) / 1000
    wait(until: end) { !$0.isStopping && $0.hurryTime == nil }
    let hurryTime = state.withLock(\.hurryTime)
    if let hurryTime { wait(until: min(end, hurryTime)) { !$0.isStopping } }
    return hurryTime != nil
  }

  /// Waits until a time, or until something is no longer so.
  private func wait(until end: Double, while goesOn: (State) -> Bool) {
    // An earlier wake-up may be left over.
    while state.withLock({ goesOn($0) }) {
      let rest = end - System.seconds
      if rest <= 0 { return }
      _ = wake.wait(milliseconds: Int(min(rest, 3600) * 1000) + 1)
    }
  }

  /// Waits until all are over that have what it needs, and says so if that takes long.
  private func waitForPredecessors() {
    let isHeld = { (state: State) in !state.predecessors.isEmpty && !state.isStopping }
    wait(until: System.seconds + patience, while: isHeld)
    guard state.withLock({ isHeld($0) }) else { return }
    let names = state.withLock(\.predecessors).map { "[\($0)]" }
    events(
      .warning(
        "[\(entry.name)] waits for the end of the previous \(listed(names)), and then starts."))
    wait(until: .infinity, while: isHeld)
  }

  private func conclude(_ kind: StreamEntryState.End.Kind, _ status: ExitStatus) {
    let end = StreamEntryState.End(kind: kind, status: status)
    // The order matters: whoever waits for the last one also wants to read of it.
    events(.ended(entry.name, end))
    let waiting = state.withLock { state in
      state.phase = .over(end)
      defer { state.whenOver = [] }
      return state.whenOver
    }
    for body in waiting { body() }
  }
}
