import AacornDevices
import AacornRecording
import AacornStreaming
import AacornSystem

/// A display of a running recording or stream, with its own thread.
///
/// A slow reader of its output therefore delays neither the audio nor the outputs nor the keys.
final class LiveDisplay: Sendable {
  private typealias Entry = EventQueue<LiveEvent>.Entry

  private struct State {
    var tally = LiveTally()
    /// The outputs at the last report.
    var outputs: [OutputStatus] = []
    var line: TerminalStatusLine
    var lastDrawn = 0.0
    var hasWarned = false
    var hint: String?
  }

  private let plan: LivePlan
  private let console: Console
  private let isLive: Bool
  private let queue = EventQueue<LiveEvent>(limit: LiveDisplay.limit)
  private let state: Lock<State>

  /// The maximum number of queued entries.
  private static let limit = 10_000
  /// The maximum number of simultaneous gaps of a recording that are printed individually.
  private static let gapLimit = 5
  /// The time between redraws in milliseconds.
  private static let interval = 100

  init(_ plan: LivePlan, in console: Console) {
    self.plan = plan
    self.console = console
    isLive = console.isLive && !plan.report.isQuiet && (plan.isRecording || !plan.report.printsJSON)
    state = Lock(State(line: TerminalStatusLine(in: console)))
  }

  /// Queues an event without blocking; callable from any thread.
  func enqueue(_ event: LiveEvent) {
    queue.put(event, mayBeDropped: event.isGap)
  }

  /// Prints a message of the program itself; callable from any thread.
  func show(_ message: String) {
    state.withLock { printMessage(message, &$0) }
  }

  /// Starts the display, with a hint about keys if there are any.
  func start(_ statusStore: LiveStatusStore, hasKeys: Bool) {
    state.withLock { $0.hint = hasKeys ? RecordKey.hint : nil }
    let isDrawing = isLive || plan.report.printsLevels
    // Poll the state of a stream's outputs even if nothing is drawn.
    let idleInterval = plan.isRecording ? 3000 : 500
    queue.start(milliseconds: isDrawing ? Self.interval : idleInterval) { [self] in
      let snapshot = plan.isRecording ? nil : statusStore.snapshot()
      report(snapshot?.outputs ?? [], isEnd: false)
      draw(snapshot, statusStore)
    }
  }

  /// Prints the remaining events, clears the line, and returns the totals.
  func finish(_ statusStore: LiveStatusStore) -> LiveTally {
    queue.finish()
    report(statusStore.outputs.all, isEnd: true)
    return state.withLock { state in
      state.line.clear()
      return state.tally
    }
  }

  // MARK: - One thread at a time

  private func report(_ outputs: [OutputStatus], isEnd: Bool) {
    let (entries, droppedCount) = queue.takeAll()
    state.withLock { state in
      state.outputs = outputs
      var gapCount = 0
      for entry in entries {
        if entry.event.isFilledGap { gapCount += 1 }
        let isPrinted = !plan.isRecording || plan.report.printsJSON || gapCount <= Self.gapLimit
        report(entry, &state, isPrinted: isPrinted || !entry.event.isFilledGap)
      }
      reportOmittedGaps(gapCount, dropped: droppedCount, &state)
      let drops = state.tally.drops(in: outputs, at: System.seconds, isEnd: isEnd)
      let problems = state.tally.problems(in: outputs)
      for event in drops + problems { report(event, &state) }
      console.output.flush()
    }
  }

  private func reportOmittedGaps(_ gapCount: Int, dropped droppedCount: Int, _ state: inout State) {
    var count = droppedCount
    if plan.isRecording && !plan.report.printsJSON { count += max(0, gapCount - Self.gapLimit) }
    if count == 0 { return }
    warn("\(QuantityText.count(count, "more gap")) at the same time.", &state)
  }

  /// Prints a message, which is a warning in the events of a stream.
  private func warn(_ message: String, _ state: inout State) {
    if plan.isRecording {
      printMessage(message, &state)
    } else {
      report(.warning(message), &state)
    }
  }

  /// Reports an event of the display itself.
  private func report(_ event: LiveEvent, _ state: inout State) {
    report(Entry(event: event, wallTime: System.wallNanoseconds), &state)
  }

  private func report(_ entry: Entry, _ state: inout State, isPrinted: Bool = true) {
    let event = entry.event
    var previous: OutputReports?
    if case .output(let index, _) = event { previous = state.tally.outputs[index] }
    state.tally.process(event, wallTime: entry.wallTime)
    if plan.report.printsJSON {
      reportJSON(entry, &state)
    } else if isPrinted {
      reportText(entry, after: previous, &state)
    }
    warn(about: event, &state)
  }

  private func reportJSON(_ entry: Entry, _ state: inout State) {
    var file: LiveTally.File?
    if case .sound(.outputClosed) = entry.event { file = state.tally.files.last }
    let json = entry.event.json(
      wallTime: entry.wallTime, plan, outputs: state.outputs, file: file)
    guard let json else { return }
    state.line.clear()
    console.print(json)
    if case .sound(.outputClosed(let output)) = entry.event, let failure = output.compactFailure {
      report(.warning(failure.commandMessage), &state)
    }
  }

  private func reportText(_ entry: Entry, after previous: OutputReports?, _ state: inout State) {
    let event = entry.event
    guard
      let (text, weight) = event.message(
        wallTime: entry.wallTime, plan, outputs: state.outputs, previous: previous),
      event.isFailure || (!plan.report.isQuiet && (weight == .always || plan.report.isVerbose))
    else { return }
    // The bottom line already shows pause and mute.
    if isLive, event.isShownInLine { return }
    printMessage(text, &state)
  }

  private func warn(about event: LiveEvent, _ state: inout State) {
    guard case .sound(.started(let device?, _)) = event, !state.hasWarned else { return }
    state.hasWarned = true
    let (always, verbose) = plan.conversionWarnings(for: device)
    for message in always { report(.warning(message), &state) }
    guard plan.report.isVerbose else { return }
    for message in verbose { warn(message, &state) }
  }

  private func printMessage(_ message: String, _ state: inout State) {
    state.line.clear()
    console.printError(message)
  }

  private func draw(_ snapshot: LiveSnapshot?, _ statusStore: LiveStatusStore) {
    guard isLive || plan.report.printsLevels else { return }
    let now = System.seconds
    state.withLock { state in
      guard now - state.lastDrawn >= Double(Self.interval) / 1000 * 0.9 else { return }
      let snapshot = snapshot ?? statusStore.snapshot()
      if plan.isRecording && snapshot.sound.isStopped { return }
      state.lastDrawn = now
      if plan.report.printsJSON && plan.report.printsLevels && !snapshot.sound.peaks.isEmpty {
        console.print(RecorderEvent.levelJSON(snapshot.sound))
        console.output.flush()
      }
      guard isLive else { return }
      let problem = state.tally.problem ?? (snapshot.sound.isDeviceLost ? .stalled : nil)
      let line = LiveLine(
        stream: snapshot, isRecording: plan.isRecording, problem: problem, hint: state.hint)
      state.line.draw { line.text(columns: $0) }
    }
  }
}

extension LiveEvent {
  /// Whether the event may be dropped if the queue is full.
  fileprivate var isGap: Bool {
    if case .sound(.gap) = self { true } else { false }
  }

  fileprivate var isFilledGap: Bool {
    if case .sound(.gap(let gap)) = self { gap.isFilled } else { false }
  }

  /// Whether the event is printed even with `--quiet`.
  fileprivate var isFailure: Bool {
    if case .output(_, .failed) = self { true } else { false }
  }

  fileprivate var isShownInLine: Bool {
    switch self {
    case .sound(.paused), .sound(.muted): true
    default: false
    }
  }
}

extension LivePlan {
  /// Returns warnings about the conversion of a device's rate or channels.
  ///
  /// The `verbose` warnings concern inaudible or requested changes.
  fileprivate func conversionWarnings(
    for device: Device
  ) -> (always: [String], verbose: [String]) {
    var always: [String] = []
    var verbose: [String] = []
    let rate = configuration.sampleRate
    if device.sampleRate > 0 && device.sampleRate != rate {
      let message =
        "The audio is converted from \(QuantityText.frequency(device.sampleRate)) to "
        + "\(QuantityText.frequency(rate)). To keep the rate, use --rate \(device.sampleRate)."
      // A conversion between common rates is inaudible, but users of PCM expect unchanged samples.
      if format.isPCM && sound.encoding.sampleRate == nil {
        always.append(message)
      } else {
        verbose.append(message)
      }
    }
    let count = configuration.channelCount
    if !configuration.channelMap.isEmpty {
      if configuration.channelMap.count > count {
        always.append(
          "\(configuration.channelMap.count) channels are mixed to \(count). To keep them apart, "
            + "use --channels \(configuration.channelMap.count).")
      }
    } else if device.channelCount > count {
      let source = !isRecording && sound.isFile ? "file" : "device"
      let message =
        "The \(source) has \(device.channelCount) channels, the \(noun) has "
        + "\(count == 1 ? "one" : "\(count)"). To choose some, use --channel-map, for example "
        + "--channel-map 1,2."
      if sound.encoding.channelCount == nil {
        always.append(message)
      } else {
        verbose.append(message)
      }
    }
    return (always, verbose)
  }
}
