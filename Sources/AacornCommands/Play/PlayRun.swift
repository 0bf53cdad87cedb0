import AacornDevices
import AacornPlayback
import AacornRecording
import AacornSystem

/// A run of a playback, from opening the first file to the report.
///
/// Handles keys and signals on a single thread. The session plays on its own threads.
struct PlayRun {
  private let plan: PlayPlan
  private let console: Console
  private let isLive: Bool
  private let session: PlayerSession
  private let queue: EventQueue<PlayerEvent>
  private var line: TerminalStatusLine
  private var meter = LevelMeterDisplay()
  private var isPaused = false
  private var hasKeys = false
  private var speed: Double
  private var volume: PlayVolume
  private var problem: String?
  /// The current download: the index of the item, and the number of fetched bytes and of all bytes.
  private var fetching: (index: Int, fetchedCount: Int, byteCount: Int)?
  /// The last reported position in whole seconds.
  private var reportedSecond = -1

  /// Milliseconds between redraws.
  private static let interval = 100
  /// Milliseconds between checks if nothing is drawn; events end the wait.
  private static let idleInterval = 1000
  /// The maximum number of queued events.
  private static let limit = 1000
  /// The distance of a seek with the arrow keys.
  private static let step = Duration.seconds(5)

  /// Creates a run of a plan on an output, whose sound system is nil for the best available one.
  init(
    _ plan: PlayPlan, on output: (request: PlaybackRequest, backend: DeviceBackend?),
    in console: Console
  ) {
    self.plan = plan
    self.console = console
    isLive = console.isLive && !plan.report.isQuiet
    line = TerminalStatusLine(in: console)
    speed = plan.configuration.speed
    volume = plan.volume
    let queue = EventQueue<PlayerEvent>(limit: Self.limit)
    self.queue = queue
    let interruption = console.interruption
    session = PlayerSession(
      playing: plan.items, on: .request(output.request, output.backend), plan.configuration
    ) { event in
      queue.put(event, mayBeDropped: event.mayBeDropped)
      if case .position = event { return }
      interruption.wake()
    }
  }

  mutating func run() -> ExitStatus {
    console.beginLongWork()
    let interruption = console.interruption
    do throws(PlayerError) {
      try session.start {
        // A download before playback may take long, so show its progress.
        reportEvents()
        if isLive { draw() }
        return interruption.signal != nil
      }
    } catch {
      reportEvents()
      line.clear()
      if let signal = interruption.signal { return .interrupted(by: signal) }
      var summary = session.summary ?? PlayerSummary()
      summary.failure = error
      return finish(summary)
    }
    if plan.report.isVerbose { explainSound() }
    let keyboard = plan.report.isQuiet ? nil : Keyboard(of: console)
    hasKeys = keyboard != nil
    let summary = control(keyboard)
    // Restore the terminal before the report.
    System.releaseKeys()
    line.clear()
    return finish(summary)
  }

  private func explainSound() {
    for remark in session.diagnostics { console.printError(displayed(remark)) }
    let effects = plan.configuration.effects
    if !effects.isEmpty {
      console.printError("The effects are: \(EffectDescription.text(effects)).")
    }
  }

  private mutating func control(_ keyboard: Keyboard?) -> PlayerSummary {
    while true {
      reportEvents()
      if let summary = session.summary {
        reportEvents()
        return summary
      }
      if isLive { draw() }
      console.interruption.wait(
        milliseconds: isLive ? Self.interval : Self.idleInterval, orFor: keyboard?.descriptor,
        orForEndOf: console.resultPipe(printsJSON: plan.report.printsJSON))
      if console.interruption.signal != nil { session.stop() }
      for key in keyboard?.keys() ?? [] { handle(key) }
    }
  }

  private mutating func handle(_ key: KeyPress) {
    switch PlayKey(key) {
    case nil: break
    case .pause:
      isPaused.toggle()
      session.setPaused(isPaused)
    case .back: session.seek(by: .zero - Self.step)
    case .forward: session.seek(by: Self.step)
    case .louder: change(volume.stepped(isUp: true))
    case .softer: change(volume.stepped(isUp: false))
    case .next: session.next()
    case .previous: session.previous()
    case .slower: change(PlaySpeed.stepped(from: speed, isUp: false))
    case .faster: change(PlaySpeed.stepped(from: speed, isUp: true))
    case .stop: session.stop()
    case .help:
      line.clear()
      console.printError("Keys: \(PlayKey.list), q stops.")
    }
  }

  private mutating func change(_ volume: PlayVolume) {
    self.volume = volume
    session.setVolume(volume.factor)
  }

  private mutating func change(_ speed: Double) {
    self.speed = speed
    session.setSpeed(speed)
  }

  private func finish(_ summary: PlayerSummary) -> ExitStatus {
    let report = PlayReport(plan, summary)
    return console.finishLongWork(report.exitStatus) { report.print(in: console) }
  }

  // MARK: Reports

  private mutating func reportEvents() {
    for entry in queue.takeAll().entries {
      record(entry.event)
      if plan.report.printsJSON {
        reportJSON(entry)
      } else if let (text, weight) = entry.event.message(plan), isReported(weight) {
        line.clear()
        console.printError(text)
      }
    }
  }

  private func isReported(_ weight: PlayerEvent.Weight) -> Bool {
    switch weight {
    case .error: true
    case .always: !plan.report.isQuiet
    case .verbose: plan.report.isVerbose
    }
  }

  private mutating func reportJSON(_ entry: EventQueue<PlayerEvent>.Entry) {
    if case .position(let position) = entry.event {
      let second = Int(position.time / .seconds(1))
      if second == reportedSecond { return }
      reportedSecond = second
    }
    guard let json = entry.event.json(wallTime: entry.wallTime, plan) else { return }
    line.clear()
    console.print(json)
    console.output.flush()
  }

  /// Updates the state that the line shows.
  private mutating func record(_ event: PlayerEvent) {
    switch event {
    case .deviceLost: problem = "waiting for the device"
    case .suspended: problem = "the device is suspended"
    case .deviceReturned, .deviceChanged, .resumed: problem = nil
    case .fetching(let index, fetchedCount: let fetchedCount, byteCount: let byteCount):
      fetching = fetchedCount < byteCount ? (index, fetchedCount, byteCount) : nil
    // The item is playing or was given up, so its download has ended.
    case .started, .unreadable: fetching = nil
    default: break
    }
  }

  private mutating func draw() {
    meter.update(session.takePeaks(), at: System.seconds)
    let position = session.position
    guard let index = fetching?.index ?? position?.index else { return }
    var shown = PlayLine()
    shown.name = plan.name(of: index)
    if let position, position.index == index {
      shown.seconds = position.time / .seconds(1)
      shown.duration = position.duration.map { $0 / .seconds(1) }
    }
    shown.level = LevelMeterDisplay.Reading.loudest(of: meter.readings).level
    shown.speed = speed
    shown.volume = volume.percent
    shown.isPaused = isPaused
    shown.hint = hasKeys ? RecordKey.hint : nil
    shown.problem = problem ?? fetching.map { "fetching \(100 * $0.fetchedCount / $0.byteCount) %" }
    line.draw { shown.text(columns: $0) }
  }
}

extension PlayerEvent {
  /// Whether the event repeats often, or at the rate that a server chooses.
  fileprivate var mayBeDropped: Bool {
    switch self {
    case .position, .fetching, .title: true
    default: false
    }
  }
}
