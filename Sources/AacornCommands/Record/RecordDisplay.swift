import AacornDevices
import AacornRecording
import AacornSystem

/// A display of a recording in progress, with its own thread.
///
/// A slow reader of its output therefore delays neither the audio nor the keys.
final class RecordDisplay: Sendable {
  private typealias Entry = EventQueue<RecorderEvent>.Entry

  /// The mutable state, guarded by a lock.
  private struct State {
    var tally = RecordTally()
    var meter = LevelMeterDisplay()
    /// The meter of the tracks, with one channel for each track.
    var trackMeter = LevelMeterDisplay()
    var line: TerminalStatusLine
    var lastDrawn = 0.0
    var hasWarned = false
    var hasReportedMissingInput = false
    /// The time in seconds at which the display first received audio.
    var beginning: Double?
    var hasReportedSilentTracks = false
    var hint: String?
  }

  private let plan: RecordPlan
  private let console: Console
  private let isLive: Bool
  private let queue = EventQueue<RecorderEvent>(limit: RecordDisplay.limit)
  private let isStopping = Atomic(false)
  private let state: Lock<State>

  /// The maximum number of queued entries.
  private static let limit = 10_000
  /// The maximum number of simultaneous gaps that are printed individually.
  private static let gapLimit = 5
  /// The time in milliseconds after which missing audio is reported.
  private static let inputTimeoutMilliseconds = 3000
  /// The time between redraws in milliseconds.
  private static let interval = 100

  init(_ plan: RecordPlan, in console: Console) {
    self.plan = plan
    self.console = console
    isLive = console.isLive && !plan.isQuiet
    state = Lock(State(line: TerminalStatusLine(in: console)))
  }

  /// Queues an event without blocking; callable from any thread.
  func enqueue(_ event: RecorderEvent) {
    queue.put(event, mayBeDropped: event.isAnyGap)
  }

  /// Prints a warning that is not an event; callable from any thread.
  func warn(_ message: String) {
    state.withLock { state in
      warn(message, &state)
      RecordReport.results(plan, console).flush()
    }
  }

  /// Prints a message of the program itself; callable from any thread.
  func show(_ message: String) {
    state.withLock { printMessage(message, &$0) }
  }

  /// Shows that a stop was requested.
  func showStopping() {
    isStopping.store(true, ordering: .relaxed)
    queue.wakeThread()
  }

  /// Starts the display of a session, with a hint about keys if there are any.
  func start(_ session: RecordingSession, hasKeys: Bool) {
    state.withLock { $0.hint = hasKeys ? RecordKey.hint : nil }
    let start = System.seconds
    let isDrawing = isLive || plan.printsLevels
    queue.start(milliseconds: isDrawing ? Self.interval : Self.inputTimeoutMilliseconds) { [self] in
      reportEvents()
      if System.seconds - start >= Double(Self.inputTimeoutMilliseconds) / 1000 {
        reportMissingInput()
      }
      reportSilentTracks()
      show(session)
    }
  }

  /// Prints the remaining events, clears the line, and returns the totals.
  func finish() -> RecordTally {
    queue.finish()
    reportEvents()
    return state.withLock { state in
      state.line.clear()
      return state.tally
    }
  }

  // MARK: - The display's thread

  private func reportEvents() {
    let (entries, droppedCount) = queue.takeAll()
    if entries.isEmpty && droppedCount == 0 { return }
    state.withLock { state in
      var gapCount = 0
      for entry in entries {
        state.tally.process(entry.event)
        if case .gap(let gap) = entry.event, gap.isFilled { gapCount += 1 }
        if plan.printsJSON {
          reportJSON(entry, &state)
        } else if gapCount <= Self.gapLimit || !entry.event.isGap {
          report(entry.event, &state)
        }
        warn(about: entry.event, &state)
      }
      let unreportedCount =
        plan.printsJSON ? droppedCount : droppedCount + max(0, gapCount - Self.gapLimit)
      if unreportedCount > 0 {
        printMessage("\(QuantityText.count(unreportedCount, "more gap")) at the same time.", &state)
      }
      RecordReport.results(plan, console).flush()
    }
  }

  private func reportJSON(_ entry: Entry, _ state: inout State) {
    var file: RecordTally.File?
    if case .outputClosed = entry.event { file = state.tally.files.last }
    guard let json = entry.event.json(wallTime: entry.wallTime, plan: plan, file: file) else {
      return
    }
    state.line.clear()
    RecordReport.results(plan, console).write(json.encoded + "\n")
    if case .outputClosed(let output) = entry.event, let failure = output.compactFailure {
      warn(failure.commandMessage, &state)
    }
  }

  private func report(_ event: RecorderEvent, _ state: inout State) {
    guard !plan.isQuiet,
      let (text, weight) = event.commandMessage(sampleRate: plan.configuration.sampleRate),
      weight == .always || plan.isVerbose
    else { return }
    // The bottom line already shows pause and mute.
    if isLive, event.isShownInLine { return }
    printMessage(text, &state)
  }

  private func warn(about event: RecorderEvent, _ state: inout State) {
    guard case .started(let device?, _) = event, !state.hasWarned else { return }
    state.hasWarned = true
    let (always, verbose) = RecordWarning.messages(
      deviceRate: device.sampleRate, deviceChannelCount: device.channelCount, plan: plan)
    for message in always { warn(message, &state) }
    if plan.isVerbose { for message in verbose { printMessage(message, &state) } }
  }

  private func warn(_ message: String, _ state: inout State) {
    if plan.isQuiet { return }
    if plan.printsJSON {
      let json = RecorderEvent.warningJSON(message, wallTime: System.wallNanoseconds)
      RecordReport.results(plan, console).write(json.encoded + "\n")
    } else {
      printMessage("Warning: " + message, &state)
    }
  }

  private func printMessage(_ message: String, _ state: inout State) {
    state.line.clear()
    console.printError(message)
  }

  private func reportMissingInput() {
    state.withLock { state in
      guard state.tally.problem == .notBegun, !state.hasReportedMissingInput else { return }
      state.hasReportedMissingInput = true
      warn("No sound has arrived yet. The recording starts with the first sound.", &state)
      RecordReport.results(plan, console).flush()
    }
  }

  private func reportSilentTracks() {
    state.withLock { state in
      guard state.tally.problem != .notBegun, !state.hasReportedSilentTracks else { return }
      let now = System.seconds
      let beginning = state.beginning ?? now
      state.beginning = beginning
      guard now - beginning >= Double(Self.inputTimeoutMilliseconds) / 1000 else { return }
      state.hasReportedSilentTracks = true
      for message in state.tally.silenceWarnings(plan.furtherDevices) { warn(message, &state) }
      RecordReport.results(plan, console).flush()
    }
  }

  private func show(_ session: RecordingSession) {
    guard isLive || plan.printsLevels else { return }
    let now = System.seconds
    state.withLock { state in
      guard now - state.lastDrawn >= Double(Self.interval) / 1000 * 0.9 else { return }
      let status = session.takeStatus()
      if status.isStopped { return }
      state.lastDrawn = now
      if plan.printsJSON && plan.printsLevels && !status.peaks.isEmpty {
        let results = RecordReport.results(plan, console)
        results.write(RecorderEvent.levelJSON(status).encoded + "\n")
        results.flush()
      }
      state.meter.update(status.peaks, at: now)
      state.trackMeter.update(status.tracks.map(\.peak), at: now)
      guard isLive else { return }
      let line = line(status, state)
      state.line.draw { line.text(columns: $0) }
    }
  }

  private func line(_ status: RecordingStatus, _ state: State) -> RecordLine {
    let rate = Double(max(1, status.sampleRate))
    var line = RecordLine()
    line.seconds = Double(status.sampleCount) / rate
    line.levels = state.meter.readings
    line.byteCount = status.byteCount
    line.gapCount = state.tally.gapCount
    line.lostSeconds = Double(status.filledSampleCount) / rate
    line.loudness = status.loudness.currentText
    line.drift = status.driftPartsPerMillion
    line.tracks = zip(status.tracks, state.trackMeter.readings).map { track, reading in
      RecordLine.Track(name: displayed(track.name), hold: reading.hold)
    }
    line.hint = state.hint
    line.isPaused = status.isPaused
    line.isMuted = status.isMuted
    line.isStopping = isStopping.load(ordering: .relaxed)
    line.problem = state.tally.problem ?? (status.isDeviceLost ? .stalled : nil)
    return line
  }
}

extension RecorderEvent {
  fileprivate var isGap: Bool {
    if case .gap(let gap) = self { gap.isFilled } else { false }
  }

  fileprivate var isAnyGap: Bool {
    if case .gap = self { true } else { false }
  }

  fileprivate var isShownInLine: Bool {
    switch self {
    case .paused, .muted: true
    default: false
    }
  }
}
