import AudioCapture
import Platform
import Recording
import Synchronization

/// Tells of a recording while it is made, on a thread of its own: whoever reads too slowly holds up
/// neither the sound nor the keys.
final class RecordDisplay: Sendable {
  private struct Entry {
    var event: RecorderEvent
    var wallTime: Int64
  }

  private struct Queue {
    var entries: [Entry] = []
    var droppedCount = 0
    var isFinished = false
    var isStopping = false
  }

  /// What only the display's thread uses.
  private struct State {
    var tally = RecordTally()
    var meter = LevelMeterDisplay()
    var isDrawn = false
    var lastDrawn = 0.0
    var hasWarned = false
    var hasSaidThatNothingComes = false
  }

  private let plan: RecordPlan
  private let console: Console
  private let isLive: Bool
  private let queue = Mutex(Queue())
  private let state = Mutex(State())
  private let wake = Semaphore()
  private let thread = Mutex<WorkerThread?>(nil)

  /// Entries that wait for a slow reader at most.
  private static let limit = 10_000
  /// Gaps that are told one by one when many come together.
  private static let gapLimit = 5
  /// Milliseconds after which a source without a sound is worth a word.
  private static let patience = 3000
  /// Milliseconds between two drawings.
  private static let interval = 100

  init(_ plan: RecordPlan, in console: Console) {
    self.plan = plan
    self.console = console
    isLive = console.isLive && !plan.isQuiet
  }

  /// Takes an event; never waits, and may be called from any thread.
  func take(_ event: RecorderEvent) {
    let wallTime = System.wallNanoseconds
    queue.withLock { queue in
      if case .gap = event, queue.entries.count >= Self.limit {
        queue.droppedCount += 1
      } else {
        queue.entries.append(Entry(event: event, wallTime: wallTime))
      }
    }
    wake.signal()
  }

  /// Shows that the end has been asked for.
  func showStopping() {
    queue.withLock { $0.isStopping = true }
    wake.signal()
  }

  /// Begins to show how a recording is doing.
  func start(_ session: RecordingSession) {
    let start = System.seconds
    let newThread = WorkerThread { [self] in
      while !queue.withLock({ $0.isFinished }) {
        _ = wake.wait(milliseconds: isLive || plan.printsLevels ? Self.interval : Self.patience)
        tellEvents()
        if System.seconds - start >= Double(Self.patience) / 1000 { sayThatNothingComes() }
        show(session)
      }
    }
    thread.withLock { $0 = newThread }
  }

  /// Tells what is left, takes the line away, and says what has happened in all.
  func finish() -> RecordTally {
    queue.withLock { $0.isFinished = true }
    wake.signal()
    thread.withLock { thread in
      thread?.join()
      thread = nil
    }
    tellEvents()
    return state.withLock { state in
      clear(&state)
      return state.tally
    }
  }

  // MARK: - The display's thread

  private func tellEvents() {
    let (entries, droppedCount) = queue.withLock { queue in
      defer {
        queue.entries = []
        queue.droppedCount = 0
      }
      return (queue.entries, queue.droppedCount)
    }
    if entries.isEmpty && droppedCount == 0 { return }
    state.withLock { state in
      var gapCount = 0
      for entry in entries {
        state.tally.take(entry.event)
        if case .gap(let gap) = entry.event, gap.isFilled { gapCount += 1 }
        if plan.printsJSON {
          tellJSON(entry, &state)
        } else if gapCount <= Self.gapLimit || !entry.event.isGap {
          tell(entry.event, &state)
        }
        warn(about: entry.event, &state)
      }
      let untoldCount =
        plan.printsJSON ? droppedCount : droppedCount + max(0, gapCount - Self.gapLimit)
      if untoldCount > 0 {
        note("\(QuantityText.count(untoldCount, "more gap")) at the same time.", &state)
      }
      RecordReport.results(plan, console).flush()
    }
  }

  private func tellJSON(_ entry: Entry, _ state: inout State) {
    var file: RecordTally.File?
    if case .outputClosed = entry.event { file = state.tally.files.last }
    guard let json = entry.event.json(wallTime: entry.wallTime, plan: plan, file: file) else {
      return
    }
    clear(&state)
    RecordReport.results(plan, console).write(json.encoded + "\n")
  }

  private func tell(_ event: RecorderEvent, _ state: inout State) {
    guard !plan.isQuiet,
      let (text, weight) = event.sentence(sampleRate: plan.configuration.sampleRate),
      weight == .always || plan.isVerbose
    else { return }
    // The line shows these two all the time.
    if isLive, event.isShownInLine { return }
    note(text, &state)
  }

  private func warn(about event: RecorderEvent, _ state: inout State) {
    guard case .started(let device?, _) = event, !state.hasWarned else { return }
    state.hasWarned = true
    let (always, curious) = RecordWarning.sentences(
      deviceRate: device.sampleRate, deviceChannelCount: device.channelCount, plan: plan)
    for sentence in always { warn(sentence, &state) }
    if plan.isVerbose { for sentence in curious { note(sentence, &state) } }
  }

  private func warn(_ sentence: String, _ state: inout State) {
    if plan.isQuiet { return }
    if plan.printsJSON {
      let json = RecorderEvent.warningJSON(sentence, wallTime: System.wallNanoseconds)
      RecordReport.results(plan, console).write(json.encoded + "\n")
    } else {
      note("Warning: " + sentence, &state)
    }
  }

  private func note(_ sentence: String, _ state: inout State) {
    clear(&state)
    console.printError(sentence)
  }

  private func sayThatNothingComes() {
    state.withLock { state in
      guard state.tally.trouble == .notBegun, !state.hasSaidThatNothingComes else { return }
      state.hasSaidThatNothingComes = true
      warn("No sound has come yet. The recording begins with the first one.", &state)
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
      state.meter.take(status.peaks, at: now)
      if isLive { draw(line(status, state), &state) }
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
    line.drift = status.driftPartsPerMillion
    line.isPaused = status.isPaused
    line.isMuted = status.isMuted
    line.isStopping = queue.withLock { $0.isStopping }
    line.trouble = state.tally.trouble ?? (status.isDeviceLost ? .standstill : nil)
    return line
  }

  private func draw(_ line: RecordLine, _ state: inout State) {
    // In the background, or where the terminal takes nothing, drawing would wait.
    guard
      System.isTerminal(System.standardError) == false
        || (System.isInForeground(System.standardError) && System.isWritable(System.standardError))
    else { return }
    let columns =
      System.isTerminal(System.standardError)
      ? System.columns(ofTerminal: System.standardError) : console.columns
    console.errors.write("\r\u{1B}[K" + line.text(columns: columns))
    console.errors.flush()
    state.isDrawn = true
  }

  private func clear(_ state: inout State) {
    if state.isDrawn {
      console.errors.write("\r\u{1B}[K")
      console.errors.flush()
    }
    state.isDrawn = false
  }
}

extension RecorderEvent {
  fileprivate var isGap: Bool {
    if case .gap(let gap) = self { gap.isFilled } else { false }
  }

  fileprivate var isShownInLine: Bool {
    switch self {
    case .paused, .muted: true
    default: false
    }
  }
}
