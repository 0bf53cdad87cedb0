import AacornDevices
import AacornRecording
import AacornStreaming
import AacornSystem
import AacornWeb

/// A run of a stream, from opening the device to the report.
///
/// Handles keys, signals and the metadata file.
struct StreamRun {
  private let plan: StreamPlan
  private let source: RecordSource
  private let console: Console
  private let display: StreamDisplay
  /// The status store.
  let statusStore: StreamStatusStore
  private let session: RecordingSession
  /// The bitrate, if it adapts to the network.
  private let bitrate: AdaptiveBitrate?
  private var isMuted = false
  private var isStopping = false
  /// Whether the metadata file was unreadable at the last check.
  private var isMetadataMissing = false

  /// The poll interval in milliseconds for the metadata file and the terminal's foreground state.
  private static let pollInterval = 500
  /// The poll interval in milliseconds during the wait for listeners.
  private static let drainPollInterval = 100

  init(_ plan: StreamPlan, _ source: RecordSource, in console: Console) {
    self.plan = plan
    self.source = source
    self.console = console
    let display = StreamDisplay(plan, in: console)
    let statusStore = StreamStatusStore(plan) { display.enqueue($0) }
    let interruption = console.interruption
    self.display = display
    self.statusStore = statusStore
    let session = RecordingSession(
      plan.configuration,
      events: { event in
        switch event {
        case .started(_, let wallTime): statusStore.setStartWallTime(wallTime)
        case .outputFailed(let name, let error): statusStore.outputs.fail(named: name, error)
        default: break
        }
        display.enqueue(.sound(event))
        if case .stopped = event { interruption.wake() }
      },
      packets: { _ in statusStore.countFrame() })
    self.session = session
    bitrate = plan.adaptation.map { adaptation in
      AdaptiveBitrate(adaptation.bounds, from: adaptation.bitrate) { change in
        statusStore.showBitrate(change.to)
        display.enqueue(.bitrate(change))
      }
    }
    bitrate?.drive { _ = session.setBitrate($0) }
  }

  /// Streams and returns the exit status.
  func run() -> ExitStatus {
    var run = self
    return run.stream()
  }

  private mutating func stream() -> ExitStatus {
    console.beginLongWork()
    explainChoice()
    for warning in plan.warnings { display.enqueue(.warning(warning)) }
    let interruption = console.interruption
    let outputs = StreamOutputs(
      plan, on: statusStore.outputs, bitrate: bitrate,
      isCancelled: { interruption.signal != nil }
    ) { [display] in display.enqueue($0) }
    defer { outputs.close() }
    readMetadata()
    let statusServer: HTTPServer?
    do throws(NetworkError) {
      statusServer = try startStatusServer()
    } catch {
      _ = display.finish(statusStore)
      return finish(
        StreamingReport(plan, failure: .output(OutputError(.connection, error.message))))
    }
    defer { statusServer?.stop() }
    statusStore.watch(session)
    do throws(RecordingError) {
      try session.start(source.material, outputs: outputs.all) { interruption.signal != nil }
    } catch {
      var summary = RecordingSummary()
      summary.failure = error
      let tally = display.finish(statusStore)
      if let signal = interruption.signal { return .interrupted(by: signal) }
      return finish(StreamingReport(plan, summary, statusStore.snapshot(), tally))
    }
    explainWork()
    let keyboard = plan.isQuiet || plan.printsJSON ? nil : Keyboard(of: console)
    explainKeys(areThere: keyboard != nil)
    display.start(statusStore, hasKeys: keyboard != nil)
    let summary = control(keyboard)
    drain(outputs, keyboard)
    // Restore the terminal before the report.
    System.releaseKeys()
    let tally = display.finish(statusStore)
    return finish(StreamingReport(plan, summary, statusStore.snapshot(), tally))
  }

  private mutating func control(_ keyboard: Keyboard?) -> RecordingSummary {
    let isIdle = keyboard == nil && plan.metadataFile == nil
    while true {
      if let summary = session.summary { return summary }
      console.interruption.wait(
        milliseconds: isIdle ? 10_000 : Self.pollInterval, orFor: keyboard?.descriptor,
        orForEndOf: isStopping ? nil : console.resultPipe(printsJSON: plan.printsJSON))
      if console.interruption.signal != nil { stop() }
      // The file is polled anyway; SIGHUP only makes the program read it immediately.
      _ = console.interruption.takeHangUps()
      if !isStopping { readMetadata() }
      for key in keyboard?.keys() ?? [] { handle(key) }
    }
  }

  /// Keeps the HLS server running until its listeners have received the end, or the user stops the
  /// wait.
  private mutating func drain(_ outputs: StreamOutputs, _ keyboard: Keyboard?) {
    let signal = console.interruption.signal
    guard signal != System.pipeSignal, let listenerDrain = outputs.makeDrain() else { return }
    while listenerDrain.listenerCount > 0 {
      statusStore.showListeners(listenerDrain.listenerCount)
      console.interruption.wait(milliseconds: Self.drainPollInterval, orFor: keyboard?.descriptor)
      // The first signal ends the wait; a second one ends the process without returning here.
      if console.interruption.signal != signal { return }
      if keyboard?.keys().contains(where: { RecordKey($0) == .stop }) == true { return }
    }
  }

  private mutating func handle(_ key: Character) {
    switch RecordKey(key) {
    case .mute:
      isMuted.toggle()
      session.setMuted(isMuted)
    case .monitor:
      let isMonitored = session.monitorStatus != nil
      session.setMonitor(isMonitored ? nil : plan.sound.monitorConfiguration)
    case .track(let number):
      if let track = plan.trackKeys.track(number) { session.change(.toggle, of: track) }
    case .stop: stop()
    case .help:
      display.show("Keys: \(RecordKey.streamingList), q stops.")
      if let help = plan.trackKeys.help { display.show(help) }
    // A stream cannot start a new file or be paused.
    case .pause, .newFile, nil: break
    }
  }

  private mutating func stop() {
    guard !isStopping else { return }
    isStopping = true
    statusStore.showStopping()
    session.stop()
  }

  private mutating func readMetadata() {
    guard let file = plan.metadataFile else { return }
    guard let metadata = file.read() else {
      if !isMetadataMissing {
        display.enqueue(
          .warning(
            "“\(displayed(file.path))” cannot be read. The title stays unchanged until it can."))
      }
      isMetadataMissing = true
      return
    }
    isMetadataMissing = false
    if statusStore.update(metadata) { display.enqueue(.metadata(metadata)) }
  }

  private func startStatusServer() throws(NetworkError) -> HTTPServer? {
    guard let address = plan.statusAddress else { return nil }
    let statusStore = statusStore
    let server = try HTTPServer(
      address: address.address, port: address.port,
      options: StatusPage.options(address: address.address)
    ) { request, responder in
      responder.respond(StatusPage.response(to: request, statusStore.snapshot()))
    }
    display.enqueue(.listening(.status, url: server.url))
    return server
  }

  private func finish(_ report: StreamingReport) -> ExitStatus {
    console.finishLongWork(report.exitStatus) { report.print(in: console) }
  }

  /// Prints the keys of tracks; without a keyboard, warns about tracks that wait for a key.
  private func explainKeys(areThere: Bool) {
    if areThere {
      if let help = plan.trackKeys.help { console.printError(help) }
    } else if let warning = plan.trackKeys.warning {
      display.enqueue(.warning(warning))
    }
  }

  private func explainWork() {
    guard plan.isVerbose else { return }
    for remark in session.diagnostics { console.printError(remark) }
    for line in EffectSummary.lines(plan.configuration, source.tracks.map(\.configuration)) {
      console.printError(line)
    }
  }

  private func explainChoice() {
    guard plan.isVerbose else { return }
    source.explainChoice(in: console)
    let codings = [plan.configuration.coding] + plan.configuration.furtherCodings
    let words = codings.compactMap { coding -> String? in
      guard case .aac(let rateControl, _, let profile, _) = coding else { return nil }
      return "\(profile.name) with \(rateControl.description)"
    }
    console.printError(
      "The audio is encoded as \(listed(words)) at "
        + "\(QuantityText.frequency(plan.configuration.sampleRate)), "
        + "\(QuantityText.count(plan.configuration.channelCount, "channel")).")
    if let bounds = plan.adaptation?.bounds {
      console.printError(
        "The bitrate follows the network, between "
          + "\(QuantityText.bitrate(Double(bounds.lowerBound))) and "
          + "\(QuantityText.bitrate(Double(bounds.upperBound))).")
    }
  }
}
