import AacornDevices
import AacornRecording
import AacornSystem

/// A run of a recording, from opening the device to the report.
///
/// Handles keys and signals.
struct RecordRun {
  private let plan: RecordPlan
  private let source: RecordSource
  private let console: Console
  private let display: RecordDisplay
  private let session: RecordingSession
  private var isPaused = false
  private var isMuted: Bool
  private var isStopping = false

  /// The interval in milliseconds of checks whether the program is in the terminal's foreground.
  private static let pollInterval = 250

  init(_ plan: RecordPlan, _ source: RecordSource, in console: Console) {
    self.plan = plan
    self.source = source
    self.console = console
    let display = RecordDisplay(plan, in: console)
    let interruption = console.interruption
    self.display = display
    isMuted = plan.configuration.isMuted
    session = RecordingSession(
      plan.configuration,
      events: { event in
        display.enqueue(event)
        if case .stopped = event { interruption.wake() }
      })
  }

  /// Records and returns the exit status.
  func run() -> ExitStatus {
    var run = self
    return run.record()
  }

  private mutating func record() -> ExitStatus {
    console.beginLongWork()
    explainChoice()
    var options = plan.options
    let interruption = console.interruption
    options.isCancelled = { interruption.signal != nil }
    do throws(RecordingError) {
      try session.start(
        source.material, outputs: [FileOutput(plan.path, plan.format, options)],
        isCancelled: options.isCancelled)
    } catch {
      _ = display.finish()
      if let signal = interruption.signal { return .interrupted(by: signal) }
      return finish(RecordReport(plan, failure: error))
    }
    explainWork()
    let keyboard = plan.isQuiet ? nil : Keyboard(of: console)
    explainKeys(areThere: keyboard != nil)
    display.start(session, hasKeys: keyboard != nil)
    let summary = control(keyboard)
    // Restore the terminal before the report.
    System.releaseKeys()
    return finish(RecordReport(plan, summary, display.finish()))
  }

  private mutating func control(_ keyboard: Keyboard?) -> RecordingSummary {
    while true {
      if let summary = session.summary { return summary }
      console.interruption.wait(
        milliseconds: keyboard == nil ? 10_000 : Self.pollInterval, orFor: keyboard?.descriptor,
        orForEndOf: isStopping ? nil : console.resultPipe(printsJSON: plan.printsJSON))
      if console.interruption.signal != nil { stop() }
      // A recording to a pipe cannot start a new file.
      for _ in 0..<console.interruption.takeHangUps() where !plan.isPiped {
        session.startNewSegment()
      }
      for key in keyboard?.keys() ?? [] { handle(key) }
    }
  }

  private mutating func handle(_ key: Character) {
    switch RecordKey(key) {
    case nil: break
    case .pause:
      isPaused.toggle()
      session.setPaused(isPaused)
    case .mute:
      isMuted.toggle()
      session.setMuted(isMuted)
    case .monitor:
      let isMonitored = session.monitorStatus != nil
      session.setMonitor(isMonitored ? nil : plan.monitorConfiguration)
    case .newFile where plan.isPiped: break
    case .newFile: session.startNewSegment()
    case .track(let number):
      if let track = plan.trackKeys.track(number) { session.change(.toggle, of: track) }
    case .stop: stop()
    case .help:
      display.show("Keys: \(RecordKey.recordingList), q stops.")
      if let help = plan.trackKeys.help { display.show(help) }
    }
  }

  private mutating func stop() {
    guard !isStopping else { return }
    isStopping = true
    display.showStopping()
    session.stop()
  }

  /// Prints the keys of tracks; without a keyboard, warns about tracks that wait for a key.
  private func explainKeys(areThere: Bool) {
    if !areThere {
      if let warning = plan.trackKeys.warning { display.warn(warning) }
    } else if !plan.printsJSON, let help = plan.trackKeys.help {
      console.printError(help)
    }
  }

  private func finish(_ report: RecordReport) -> ExitStatus {
    let status = console.finishLongWork(report.exitStatus) { report.print(in: console) }
    // If standard error itself failed, the failure cannot be printed, so the exit status reports
    // it.
    let isUnreported = plan.printsJSON && RecordReport.results(plan, console).failure != nil
    return isUnreported && status == .success ? .cannotWrite : status
  }

  // MARK: - Verbose output

  private func explainChoice() {
    guard plan.isVerbose else { return }
    source.explainChoice(in: console)
  }

  private func explainWork() {
    guard plan.isVerbose else { return }
    for remark in session.diagnostics { console.printError(remark) }
    for line in EffectSummary.lines(plan.configuration, source.tracks.map(\.configuration)) {
      console.printError(line)
    }
    console.printError(
      plan.options.synchronizes
        ? "A crash or a power failure costs at most the last second; the file is flushed to disk twice "
          + "a second."
        : "A crash costs at most the last second, a power failure all data that is not yet on disk."
    )
  }
}
