package import AacornDevices
import AacornSystem

/// A recording from start to end: the synchronous part of ``Recorder``, whose comments describe the
/// functions.
///
///     audio thread ─► ring ─► this session's thread ─► one thread for each output
///
/// All functions may be called from any thread. Only `start`, which waits for the device to open,
/// and `wait` block.
package final class RecordingSession: Sendable {
  package let configuration: RecordingConfiguration
  let events: @Sendable (RecorderEvent) -> Void
  let packets: @Sendable (EncodedPacket) -> Void
  let sound: (any SampleListener)?
  let controls = Lock(Controls())
  let state = Lock(State())
  /// The result of the start: its error, or nil.
  private let startup = Outcome<RecordingError?>()
  private let outcome = Outcome<RecordingSummary>()
  let monitoring = Lock(Monitoring())
  /// The ring with the recorded samples for the monitor.
  let mixSink = CaptureSink(sampleCapacity: 65_536)

  struct Controls {
    var isStarted = false
    var stopTime: Int64?
    var isPaused = false
    var isMuted = false
    var gain: Float = 1
    var newSegments = 0
    /// The number of requests to reconnect sources to their devices.
    var resumptions = 0
    var bitrates: [Int: Int] = [:]
    var source: (any CaptureSource)?
    var trackChanges: [(track: String, change: TrackChange)] = []
    /// Requested changes of the mix's effects, in order.
    var effectChanges: [@Sendable (inout EffectRack) -> Void] = []
  }

  struct State {
    var status = RecordingStatus()
    var sink: CaptureSink?
    /// The names of the tracks, once they are open.
    var trackNames: [String] = []
    var diagnostics: [String] = []
    /// The format of the packets, once the recording has begun.
    var packetFormat: PacketFormat?
    /// Whether an output accepts all renditions, at announced bitrates.
    var hasFixedBitrates = false
    /// Whether the source has not been opened yet.
    var isOpening = true
  }

  /// Creates a recording that calls `events`, `packets` and `sound` on its own thread.
  ///
  /// None of these calls may block: the audio waits for them. They must not wait for the end of
  /// the recording.
  ///
  /// `sound` receives the recorded samples, each once and in order: at the recording's rate,
  /// interleaved, with gain, silence for gaps, and without pauses.
  package init(
    _ configuration: RecordingConfiguration,
    events: @escaping @Sendable (RecorderEvent) -> Void = { _ in },
    packets: @escaping @Sendable (EncodedPacket) -> Void = { _ in },
    sound: (any SampleListener)? = nil
  ) {
    self.configuration = configuration
    self.events = events
    self.packets = packets
    self.sound = sound
    mixSink.isMonitored = false
    controls.withLock { controls in
      controls.isMuted = configuration.isMuted
      controls.gain = configuration.gain
    }
  }

  /// Opens the source and the outputs, in this order, and starts recording.
  ///
  /// Waits until they are open, or until `isCancelled` returns true. If it throws, it leaves no new
  /// files and no open devices.
  package func start(
    _ source: any CaptureSource, outputs: [any PacketOutput],
    isCancelled: () -> Bool = { false }
  ) throws(RecordingError) {
    try start(.one(.source(source)), outputs: outputs, isCancelled: isCancelled)
  }

  package func start(
    _ material: RecordingMaterial, outputs: [any PacketOutput],
    isCancelled: () -> Bool = { false }
  ) throws(RecordingError) {
    guard begin(material, outputs: outputs) else { throw .alreadyStarted }
    var result = startup.wait(for: .milliseconds(250))
    while result == nil {
      if isCancelled() { giveUpOpening() }
      result = startup.wait(for: .milliseconds(250))
    }
    if let failure = result ?? nil { throw failure }
  }

  /// Starts recording without blocking a thread, and returns the error of a failed start.
  ///
  /// Canceling the task stops the recording.
  func startWithoutBlocking(
    _ material: RecordingMaterial, outputs: [any PacketOutput]
  ) async -> RecordingError? {
    await withTaskCancellationHandler {
      begin(material, outputs: outputs) ? await startup.wait() : .alreadyStarted
    } onCancel: {
      stop()
    }
  }

  /// Creates and opens the sources and then the outputs, and begins, all on the session's thread.
  ///
  /// `startup` receives the result. If the recording is stopped before the source is open, it
  /// immediately receives ``RecordingError/stopped``, and the source is stopped as soon as possible.
  /// Returns false if the recording was started before.
  private func begin(_ material: RecordingMaterial, outputs: [any PacketOutput]) -> Bool {
    let isFirst = controls.withLock { controls in
      defer { controls.isStarted = true }
      return !controls.isStarted
    }
    guard isFirst else { return false }
    let hasThread = System.startThread("recording") { [self] in
      do throws(RecordingError) {
        var (loop, runners) = try open(material, outputs)
        startup.resolve(nil)
        run(&loop, runners)
      } catch {
        state.withLock { $0.isOpening = false }
        // Clients that push samples must not wait for a recording that did not begin.
        for origin in material.origins { origin.closeUnlessRunning() }
        giveUp(error)
      }
    }
    if !hasThread { giveUp(.noThread) }
    if controls.withLock(\.stopTime) != nil { giveUpOpening() }
    return true
  }

  /// Ends a recording that could not begin.
  private func giveUp(_ error: RecordingError) {
    var summary = RecordingSummary()
    summary.failure = error
    complete(summary)
    startup.resolve(error)
  }

  /// Stops waiting for a source that is being opened.
  private func giveUpOpening() {
    let isOpening = state.withLock { state in
      defer { state.isOpening = false }
      return state.isOpening
    }
    if isOpening { giveUp(.stopped) }
  }

  private func open(
    _ material: RecordingMaterial, _ outputs: [any PacketOutput]
  ) throws(RecordingError) -> (Loop, [OutputRunner]) {
    // Report the encoder's errors before a microphone is opened.
    let codings = configuration.codings
    for coding in codings { try configuration.validate(coding) }
    _ = try configuration.rack(of: configuration.effects)
    // No output accepts both AAC and samples.
    if Set(codings.map { $0.profile == nil }).count > 1 { throw .mixedCodings }
    for case let file as FileOutput in outputs {
      if let formatError = file.formatError { throw .output(formatError) }
    }
    for output in outputs
    where !output.acceptsRenditions && !codings.indices.contains(output.rendition) {
      throw .output(.noRendition(output.rendition, of: codings.count, for: output.name))
    }
    let hasFixedBitrates = outputs.contains { $0.acceptsRenditions }
    state.withLock { $0.hasFixedBitrates = hasFixedBitrates }
    let settings = try trackSettings(of: material)
    let racks = try settings.map { track throws(RecordingError) in
      try configuration.rack(of: track.effects)
    }
    // Throws for a missing library, before a microphone is opened.
    let echoes = try EchoStage(
      settings, effects: racks, channelCount: configuration.channelCount,
      sampleRate: configuration.sampleRate)
    let (leader, followers) = try openSources(material)
    let (source, sink) = leader
    let isWanted = state.withLock { state in
      defer { state.isOpening = false }
      return state.isOpening
    }
    do throws(RecordingError) {
      if !isWanted { throw .stopped }
      var mixdown: Mixdown?
      if !settings.isEmpty {
        // With echo cancellation, the echo stage applies the effects, and the tracks have none.
        let effects = echoes == nil ? racks.map(Optional.some) : racks.map { _ in nil }
        mixdown = try mix(settings, effects: effects, leader: leader.source, followers: followers)
        mixdown?.echoes = echoes
      }
      let files = try partOutputs(settings)
      let opened = try open(outputs, parts: files, of: settings.map(\.name))
      let runners = Array(opened.prefix(outputs.count))
      let pipeline: RecordingPipeline
      do throws(RecordingError) {
        pipeline = try RecordingPipeline(
          configuration, followsClock: source.followsClock, outputs: runners, events: events,
          packets: packets, sound: self, mixdown: mixdown,
          partOutputs: Array(opened.dropFirst(outputs.count)),
          isStopping: { [controls] in controls.withLock(\.stopTime) != nil })
      } catch {
        // Release the reserved names.
        for runner in opened { runner.beginToClose() }
        for runner in opened { _ = runner.close() }
        throw error
      }
      state.withLock { state in
        state.sink = sink
        state.trackNames = settings.map(\.name)
        state.diagnostics = source.diagnostics
        state.packetFormat = pipeline.encoders[0].format
        state.status.sampleRate = configuration.sampleRate
        state.status.device = source.device
      }
      if let monitor = configuration.monitor { setMonitor(monitor) }
      return (Loop(source: source, sink: sink, pipeline: pipeline), runners)
    } catch {
      source.stop()
      for follower in followers { follower.source.stop() }
      throw error
    }
  }

  /// Opens the outputs of the mix and then the outputs of the tracks, and starts their threads.
  private func open(
    _ outputs: [any PacketOutput], parts: [any PacketOutput], of tracks: [String]
  ) throws(RecordingError) -> [OutputRunner] {
    var opened: [any PacketOutput] = []
    for output in outputs + parts {
      var output = output
      do throws(OutputError) {
        try output.open()
        opened.append(output)
      } catch {
        for index in opened.indices { _ = opened[index].abandon() }
        throw .output(error.afterSaving(upTo: output.savedPosition))
      }
    }
    var runners: [OutputRunner] = []
    for (index, output) in opened.enumerated() {
      let isPart = index >= outputs.count
      let report: @Sendable (RecorderEvent) -> Void = if isPart { reportPartEvent } else { events }
      let track = isPart ? tracks[index - outputs.count] : nil
      guard let runner = OutputRunner(output, track: track, events: report) else {
        for runner in runners { _ = runner.close() }
        for index in opened.indices.dropFirst(runners.count) { _ = opened[index].abandon() }
        throw .noThread
      }
      runners.append(runner)
    }
    return runners
  }

  /// Forwards an event of a track's file.
  ///
  /// The recording continues without the file, so a failure is reported as a loss.
  func reportPartEvent(_ event: RecorderEvent) {
    if case .outputFailed(let name, let error) = event {
      events(.outputLost(name: name, error))
    } else {
      events(event)
    }
  }

  // MARK: - Control

  package func stop() {
    control { $0.stopTime = $0.stopTime ?? System.nanoseconds }
    if controls.withLock(\.isStarted) { giveUpOpening() }
  }

  package func setPaused(_ isPaused: Bool) {
    control { controls in
      controls.isPaused = isPaused
      if !isPaused { controls.resumptions += 1 }
    }
    // The monitor may have been interrupted, too.
    if !isPaused { monitoring.withLock { $0.monitor }?.resume() }
  }

  package func setMuted(_ isMuted: Bool) { control { $0.isMuted = isMuted } }

  package func setGain(_ gain: Float) {
    guard gain.isFinite else { return }
    control { $0.gain = gain }
  }

  @discardableResult
  package func setBitrate(_ bitsPerSecond: Int, ofRendition rendition: Int = 0) -> Bool {
    guard let limits = configuration.adaptableBitrates(ofRendition: rendition),
      limits.contains(bitsPerSecond), !state.withLock({ $0.hasFixedBitrates })
    else { return false }
    control { $0.bitrates[rendition] = bitsPerSecond }
    return true
  }

  package func startNewSegment() { control { $0.newSegments += 1 } }

  package func switchSource(to source: any CaptureSource) { control { $0.source = source } }

  func control(_ change: (inout Controls) -> Void) {
    controls.withLock { change(&$0) }
    state.withLock { $0.sink }?.wake()
  }

  package func takeStatus() -> RecordingStatus {
    state.withLock { state in
      defer {
        state.status.peaks = []
        for index in state.status.tracks.indices { state.status.tracks[index].peak = 0 }
      }
      return state.status
    }
  }

  package var diagnostics: [String] { state.withLock { $0.diagnostics } }

  /// The summary; nil until the recording has ended.
  ///
  /// It is available while the event `stopped` is handled.
  package var summary: RecordingSummary? { outcome.value }

  /// Waits for the end and the report of the event `stopped`, at most this long.
  package func wait(for time: Duration) -> RecordingSummary? { outcome.wait(for: time) }

  /// Waits for the end and the report of the event `stopped`, without blocking a thread.
  package func end() async -> RecordingSummary {
    if !controls.withLock(\.isStarted) { return RecordingSummary() }
    return await outcome.wait()
  }

  /// Ends the recording and notifies all clients, once.
  func complete(_ summary: RecordingSummary) {
    endMonitoring(isFinal: true)
    outcome.resolve(summary) {
      state.withLock { $0.status.isStopped = true }
      events(.stopped(summary))
    }
  }
}
