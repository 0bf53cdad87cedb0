import AacornDevices
import AacornRecording
import AacornStreaming
import AacornSystem

/// A display of a running stream, with its own thread.
///
/// A slow reader of its output therefore delays neither the audio nor the outputs.
final class StreamDisplay: Sendable {
  /// The mutable state, guarded by a lock.
  private struct State {
    var tally = StreamTally()
    var line: TerminalStatusLine
    var lastDrawn = 0.0
    var hasWarned = false
    var hasReportedMissingInput = false
    /// The time in seconds at which the display first received audio.
    var beginning: Double?
    var hasReportedSilentTracks = false
    var hint: String?
  }

  private let plan: StreamPlan
  private let console: Console
  private let isLive: Bool
  private let queue = EventQueue<StreamEvent>(limit: StreamDisplay.limit)
  private let state: Lock<State>

  /// The maximum number of queued entries.
  private static let limit = 10_000
  /// The time in seconds after which missing audio is reported.
  private static let inputTimeoutSeconds = 3.0
  /// The time between redraws in milliseconds.
  private static let interval = 100
  /// The time between checks in milliseconds if nothing is drawn.
  private static let idleInterval = 500

  init(_ plan: StreamPlan, in console: Console) {
    self.plan = plan
    self.console = console
    isLive = console.isLive && !plan.isQuiet && !plan.printsJSON
    state = Lock(State(line: TerminalStatusLine(in: console)))
  }

  /// Queues an event without blocking; callable from any thread.
  func enqueue(_ event: StreamEvent) {
    queue.put(event, mayBeDropped: event.mayBeDropped)
  }

  /// Prints a message of the program itself; callable from any thread.
  func show(_ message: String) {
    state.withLock { state in
      state.line.clear()
      console.printError(message)
    }
  }

  /// Starts the display of a stream, with a hint about keys if there are any.
  func start(_ statusStore: StreamStatusStore, hasKeys: Bool) {
    state.withLock { $0.hint = hasKeys ? RecordKey.hint : nil }
    let start = System.seconds
    queue.start(milliseconds: isLive ? Self.interval : Self.idleInterval) { [self] in
      let snapshot = statusStore.snapshot()
      report(snapshot, isEnd: false)
      if System.seconds - start >= Self.inputTimeoutSeconds { reportMissingInput() }
      reportSilentTracks()
      draw(snapshot)
    }
  }

  /// Prints the remaining events, clears the line, and returns the totals.
  func finish(_ statusStore: StreamStatusStore) -> StreamTally {
    queue.finish()
    report(statusStore.snapshot(), isEnd: true)
    return state.withLock { state in
      state.line.clear()
      return state.tally
    }
  }

  // MARK: - One thread at a time

  private func report(_ snapshot: StreamSnapshot, isEnd: Bool) {
    let (entries, droppedCount) = queue.takeAll()
    state.withLock { state in
      for entry in entries { report(entry.event, entry.wallTime, snapshot, &state) }
      let now = System.wallNanoseconds
      if droppedCount > 0 {
        let gaps = QuantityText.count(droppedCount, "more gap")
        report(.warning("\(gaps) at the same time."), now, snapshot, &state)
      }
      let drops = state.tally.drops(in: snapshot.outputs, at: System.seconds, isEnd: isEnd)
      let metadataProblems = state.tally.metadataProblems(in: snapshot.outputs)
      let removals = state.tally.removalProblems(in: snapshot.outputs)
      for event in drops + metadataProblems + removals { report(event, now, snapshot, &state) }
      console.output.flush()
    }
  }

  private func report(
    _ event: StreamEvent, _ wallTime: Int64, _ snapshot: StreamSnapshot, _ state: inout State
  ) {
    if plan.printsJSON {
      if let json = event.json(wallTime: wallTime, plan, outputs: snapshot.outputs) {
        console.print(json)
      }
    } else {
      reportText(event, wallTime, snapshot, &state)
    }
    state.tally.process(event, wallTime: wallTime)
    warn(about: event, snapshot, &state)
  }

  private func reportText(
    _ event: StreamEvent, _ wallTime: Int64, _ snapshot: StreamSnapshot, _ state: inout State
  ) {
    var previous: StreamEvent.PreviousState?
    if case .output(let index, _) = event { previous = state.tally.outputs[index] }
    guard
      let (text, weight) = event.message(
        wallTime: wallTime, plan, outputs: snapshot.outputs, previous: previous),
      event.isFailure || (!plan.isQuiet && (weight == .always || plan.isVerbose))
    else { return }
    // The bottom line already shows mute.
    if isLive, case .sound(.muted) = event { return }
    state.line.clear()
    console.printError(text)
  }

  private func warn(
    about event: StreamEvent, _ snapshot: StreamSnapshot, _ state: inout State
  ) {
    guard case .sound(.started(let device?, _)) = event, !state.hasWarned else { return }
    state.hasWarned = true
    let (always, verbose) = RecordWarning.messages(
      deviceRate: device.sampleRate, deviceChannelCount: device.channelCount, plan.configuration,
      isPCM: false, choosesRate: plan.sound.sampleRate != nil,
      choosesChannels: plan.sound.channelCount != nil,
      source: plan.sound.isFile ? "file" : "device",
      product: "stream")
    for message in always + (plan.isVerbose ? verbose : []) {
      report(.warning(message), System.wallNanoseconds, snapshot, &state)
    }
  }

  private func reportMissingInput() {
    state.withLock { state in
      guard state.tally.sound.problem == .notBegun, !state.hasReportedMissingInput else { return }
      state.hasReportedMissingInput = true
      enqueue(.warning("No sound has arrived yet. The stream starts with the first sound."))
    }
  }

  private func reportSilentTracks() {
    state.withLock { state in
      guard state.tally.sound.problem != .notBegun, !state.hasReportedSilentTracks else { return }
      let now = System.seconds
      let beginning = state.beginning ?? now
      state.beginning = beginning
      guard now - beginning >= Self.inputTimeoutSeconds else { return }
      state.hasReportedSilentTracks = true
      let devices = plan.sound.furtherDevices
      for message in state.tally.sound.silenceWarnings(devices) { enqueue(.warning(message)) }
    }
  }

  private func draw(_ snapshot: StreamSnapshot) {
    guard isLive else { return }
    let now = System.seconds
    state.withLock { state in
      guard now - state.lastDrawn >= Double(Self.interval) / 1000 * 0.9 else { return }
      state.lastDrawn = now
      let line = StreamLine(
        stream: snapshot,
        problem: state.tally.sound.problem ?? (snapshot.isDeviceLost ? .stalled : nil),
        hint: state.hint)
      state.line.draw { line.text(columns: $0) }
    }
  }
}

extension StreamEvent {
  /// Whether the event may be dropped if the queue is full.
  fileprivate var mayBeDropped: Bool {
    if case .sound(.gap) = self { true } else { false }
  }

  /// Whether the event is printed even with `--quiet`.
  fileprivate var isFailure: Bool {
    if case .output(_, .failed) = self { true } else { false }
  }
}
