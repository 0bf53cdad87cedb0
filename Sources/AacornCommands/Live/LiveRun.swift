import AacornDevices
import AacornNetwork
import AacornRecording
import AacornStreaming
import AacornSystem

/// A run of a recording or a stream, from opening the device to the report.
///
/// Handles keys, signals and the metadata file.
struct LiveRun {
  private let plan: LivePlan
  private let source: RecordSource
  private let console: Console
  private let display: LiveDisplay
  let statusStore: LiveStatusStore
  private let session: RecordingSession
  /// The bitrate, if it adapts to the network.
  private let bitrate: AdaptiveBitrate?
  private var isPaused = false
  private var isMuted: Bool
  private var isStopping = false
  /// Whether the metadata file was unreadable at the last check.
  private var isMetadataMissing = false

  /// The poll interval in milliseconds during the wait for listeners.
  private static let drainPollInterval = 100

  init(_ plan: LivePlan, _ source: RecordSource, in console: Console) {
    self.plan = plan
    self.source = source
    self.console = plan.resultConsole(console)
    let display = LiveDisplay(plan, in: self.console)
    let statusStore = LiveStatusStore(plan) { display.enqueue($0) }
    let interruption = console.interruption
    self.display = display
    self.statusStore = statusStore
    isMuted = plan.configuration.isMuted
    let session = RecordingSession(
      plan.configuration,
      events: { event in
        switch event {
        case .started(_, let wallTime): statusStore.update { $0.startWallTime = wallTime }
        case .outputFailed(let name, let error): statusStore.outputs.fail(named: name, error)
        default: break
        }
        display.enqueue(.sound(event))
        if case .stopped = event { interruption.wake() }
      },
      packets: { _ in statusStore.update { $0.frameCount += 1 } })
    self.session = session
    bitrate = plan.adaptation.map { adaptation in
      AdaptiveBitrate(adaptation.bounds, from: adaptation.bitrate) { change in
        statusStore.update { $0.bitrate = change.to }
        display.enqueue(.bitrate(change))
      }
    }
    bitrate?.drive { _ = session.setBitrate($0) }
  }

  /// Records or streams, and returns the exit status.
  mutating func run() -> ExitStatus {
    console.beginLongWork()
    explainChoice()
    for warning in plan.warnings { display.enqueue(.warning(warning)) }
    let interruption = console.interruption
    let outputs = StreamOutputs(
      plan, on: statusStore.outputs, bitrate: bitrate, interruption, display)
    defer { outputs.close() }
    readMetadata()
    let statusServer: HTTPServer?
    do throws(NetworkError) {
      statusServer = try startStatusServer()
    } catch {
      _ = display.finish(statusStore)
      return finish(LiveReport(plan, failure: .output(OutputError(.connection, error.message))))
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
      return finish(LiveReport(plan, summary, tally, statusStore.snapshot()))
    }
    explainWork()
    let acceptsKeys = !plan.report.isQuiet && (plan.isRecording || !plan.report.printsJSON)
    let keyboard = acceptsKeys ? Keyboard(of: console) : nil
    explainKeys(areThere: keyboard != nil)
    display.start(statusStore, hasKeys: keyboard != nil)
    let summary = control(keyboard)
    drain(outputs, keyboard)
    // Restore the terminal before the report.
    System.releaseKeys()
    let tally = display.finish(statusStore)
    return finish(LiveReport(plan, summary, tally, statusStore.snapshot()))
  }

  private mutating func control(_ keyboard: Keyboard?) -> RecordingSummary {
    // Poll the metadata file, and whether the program is in the terminal's foreground.
    let isIdle = keyboard == nil && plan.metadataFile == nil
    let interval = isIdle ? 10_000 : plan.isRecording ? 250 : 500
    while true {
      if let summary = session.summary { return summary }
      console.interruption.wait(
        milliseconds: interval, orFor: keyboard?.descriptor,
        orForEndOf: isStopping ? nil : console.resultPipe(printsJSON: plan.report.printsJSON))
      if console.interruption.signal != nil { stop() }
      // A stream polls its metadata file anyway; SIGHUP only makes it read the file immediately.
      for _ in 0..<console.interruption.takeHangUps() { startNewFile() }
      if !isStopping { readMetadata() }
      for key in keyboard?.keys() ?? [] { handle(key) }
    }
  }

  /// Keeps the HLS server running until its listeners have received the end, or the user stops the
  /// wait.
  private func drain(_ outputs: StreamOutputs, _ keyboard: Keyboard?) {
    let signal = console.interruption.signal
    guard signal != System.pipeSignal, let listenerDrain = outputs.makeDrain() else { return }
    while listenerDrain.listenerCount > 0 {
      let count = listenerDrain.listenerCount
      statusStore.update { snapshot in
        snapshot.isStopping = true
        snapshot.lastListenerCount = count
      }
      console.interruption.wait(milliseconds: Self.drainPollInterval, orFor: keyboard?.descriptor)
      // The first signal ends the wait; a second one ends the process without returning here.
      if console.interruption.signal != signal { return }
      if keyboard?.keys().contains(where: { RecordKey($0) == .stop }) == true { return }
    }
  }

  private mutating func handle(_ key: KeyPress) {
    switch RecordKey(key) {
    case .pause where plan.isRecording:
      isPaused.toggle()
      session.setPaused(isPaused)
    case .mute:
      isMuted.toggle()
      session.setMuted(isMuted)
    case .monitor:
      let isMonitored = session.monitorStatus != nil
      session.setMonitor(isMonitored ? nil : plan.sound.monitorConfiguration)
    case .newFile: startNewFile()
    case .track(let number):
      if let track = plan.trackKeys.track(number) { session.change(.toggle, of: track) }
    case .stop: stop()
    case .help:
      let keys = plan.isRecording ? RecordKey.recordingList : RecordKey.streamingList
      display.show("Keys: \(keys), q stops.")
      if let help = plan.trackKeys.help { display.show(help) }
    // A stream cannot be paused.
    case .pause, nil: break
    }
  }

  /// Starts a new file, unless the audio goes to a stream or to a pipe.
  private func startNewFile() {
    if let recording = plan.recording, !recording.isPiped { session.startNewSegment() }
  }

  private mutating func stop() {
    guard !isStopping else { return }
    isStopping = true
    statusStore.update { $0.isStopping = true }
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

  private func finish(_ report: LiveReport) -> ExitStatus {
    let status = console.finishLongWork(report.exitStatus) { report.print(in: console) }
    // If standard error itself failed, the failure cannot be printed, so the exit status reports
    // it.
    let isUnreported = plan.isRecording && plan.report.printsJSON && console.output.failure != nil
    return isUnreported && status == .success ? .cannotWrite : status
  }

  /// Prints the keys of tracks; without a keyboard, warns about tracks that wait for a key.
  private func explainKeys(areThere: Bool) {
    if !areThere {
      if let warning = plan.trackKeys.warning { display.enqueue(.warning(warning)) }
    } else if !plan.report.printsJSON, let help = plan.trackKeys.help {
      console.printError(help)
    }
  }

  private func explainWork() {
    guard plan.report.isVerbose else { return }
    for remark in session.diagnostics { console.printError(displayed(remark)) }
    for line in plan.configuration.effectMessages(source.tracks.map(\.configuration)) {
      console.printError(line)
    }
    guard let recording = plan.recording else { return }
    console.printError(
      recording.options.synchronizes
        ? "A crash costs at most the last second, and so does a power failure on a disk that "
          + "flushes in under 0.4 s; the file is flushed to disk twice a second."
        : "A crash costs at most the last second, a power failure all data that is not yet on disk."
    )
  }

  private func explainChoice() {
    guard plan.report.isVerbose else { return }
    source.explainChoice(in: console)
    if plan.isRecording { return }
    let words = plan.configuration.codings.compactMap { coding -> String? in
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

extension LivePlan {
  /// Runs a recording or a stream of the command line, unless an output would replace an input.
  func run(replacing error: CommandFailure?, in console: Console) -> ExitStatus {
    if let error {
      return fail(.output(OutputError(.exists, error.commandMessage)), in: console)
    }
    do throws(DeviceError) {
      var run = LiveRun(self, try RecordSource(sound, configuration), in: console)
      return run.run()
    } catch {
      return fail(.capture(error), in: console)
    }
  }

  /// Reports a failure before the start, and returns the exit status.
  func fail(_ error: RecordingError, in console: Console) -> ExitStatus {
    let report = LiveReport(self, failure: error)
    report.print(in: resultConsole(console))
    return report.exitStatus
  }
}

extension RecordingConfiguration {
  /// Returns messages about the effects of each track and of the mix.
  fileprivate func effectMessages(_ tracks: [TrackConfiguration]) -> [String] {
    let ownMessages = tracks.filter { !$0.effects.isEmpty }.map { track in
      "The effects of the track “\(displayed(track.name))” are: " + effectText(of: track.effects)
    }
    return effects.isEmpty
      ? ownMessages : ownMessages + ["The effects are: " + effectText(of: effects)]
  }

  /// Returns the effects and their latency, which delays a live stream.
  private func effectText(of effects: [EffectDescription]) -> String {
    let text = EffectDescription.text(effects) + "."
    let chain = try? EffectChain(effects, channelCount: channelCount, sampleRate: sampleRate)
    // The chain is nil if a library was removed after the options were checked.
    guard let latency = chain?.latency else { return text }
    if latency == 0 { return text + " They add no latency." }
    let seconds = Double(latency) / Double(sampleRate)
    return text + " They add \(QuantityText.length(seconds)) of latency."
  }
}
