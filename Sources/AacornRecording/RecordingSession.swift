public import AacornDevices
import AacornSystem

/// A recording from start to end, for programs that have threads rather than tasks.
///
///     audio thread ─► ring ─► this session's thread ─► one thread for each output
///
/// All functions may be called from any thread. Only `start`, which waits for the device to open,
/// and `waitForEnd` block.
public final class RecordingSession: Sendable {
  /// What is recorded.
  public let configuration: RecordingConfiguration
  private let events: @Sendable (RecorderEvent) -> Void
  private let packets: @Sendable (Packet) -> Void
  private let sound: (@Sendable (borrowing Span<Float>) -> Void)?
  private let controls = Lock(Controls())
  private let state = Lock(State())
  private let isEnded = Semaphore()

  private struct Controls {
    var isStarted = false
    var stopTime: Int64?
    var isPaused = false
    var isMuted = false
    var gain: Float = 1
    var newSegments = 0
    var source: (any CaptureSource)?
    /// Who is to be told whether the recording has begun.
    var whenDecided: (@Sendable (RecordingError?) -> Void)?
  }

  private struct State {
    var status = RecordingStatus()
    var summary: RecordingSummary?
    var sink: CaptureSink?
    var remarks: [String] = []
    var waiters: [CheckedContinuation<RecordingSummary, Never>] = []
    /// Whether the source is being opened, or not even that.
    var isOpening = true
  }

  /// Creates a recording that calls `events`, `packets` and `sound` on its own thread.
  ///
  /// None of them may wait: the audio waits behind them.
  ///
  /// - Parameters:
  ///   - configuration: What is recorded.
  ///   - events: Called with what happens.
  ///   - packets: Called with the coded audio.
  ///   - sound: Called with the audio as it is recorded, every sample once and in order: at the
  ///     recording's rate, its channels interleaved, with gain, silence for gaps, and without
  ///     pauses. The span is valid during the call only.
  public init(
    _ configuration: RecordingConfiguration,
    events: @escaping @Sendable (RecorderEvent) -> Void = { _ in },
    packets: @escaping @Sendable (Packet) -> Void = { _ in },
    sound: (@Sendable (borrowing Span<Float>) -> Void)? = nil
  ) {
    self.configuration = configuration
    self.events = events
    self.packets = packets
    self.sound = sound
    controls.withLock { controls in
      controls.isMuted = configuration.isMuted
      controls.gain = configuration.gain
    }
  }

  /// Opens the source and the outputs, in this order, and starts recording.
  ///
  /// It waits until they are open. Nothing is left behind if it throws.
  public func start(
    _ source: any CaptureSource, outputs: [any PacketOutput]
  ) throws(RecordingError) {
    try start(source, outputs: outputs) { false }
  }

  /// The same; a source is no longer waited for once `isCancelled` says so.
  package func start(
    _ source: any CaptureSource, outputs: [any PacketOutput], isCancelled: () -> Bool
  ) throws(RecordingError) {
    let failure = Lock<RecordingError?>(nil)
    let isDecided = Semaphore()
    begin(.source(source), outputs: outputs) { error in
      failure.withLock { $0 = error }
      isDecided.signal()
    }
    while !isDecided.wait(milliseconds: 250) {
      if isCancelled() { giveUpOpening() }
    }
    if let error = failure.withLock(\.self) { throw error }
  }

  /// Makes a source, opens it and then the outputs, and begins, all on the session's thread.
  ///
  /// `whenDecided` is told once, on any thread, whether the recording has begun. If it is stopped
  /// before the source is open, nobody waits for that: ``RecordingError/stopped`` is told at once,
  /// and the source is stopped as soon as it can be.
  func begin(
    _ origin: SourceOrigin, outputs: [any PacketOutput],
    whenDecided: @escaping @Sendable (RecordingError?) -> Void
  ) {
    let isFirst = controls.withLock { controls in
      if controls.isStarted { return false }
      (controls.isStarted, controls.whenDecided) = (true, whenDecided)
      return true
    }
    guard isFirst else { return whenDecided(.alreadyStarted) }
    let hasThread = System.startThread { [self] in
      do throws(RecordingError) {
        var (loop, runners) = try open(origin, outputs)
        decide(nil)
        run(&loop, runners)
      } catch {
        state.withLock { $0.isOpening = false }
        // Who pushes samples into it learns that nobody takes them.
        origin.stop()
        giveUp(error)
      }
    }
    if !hasThread { giveUp(.noThread) }
    if controls.withLock(\.stopTime) != nil { giveUpOpening() }
  }

  /// Tells whether the recording has begun, once.
  private func decide(_ error: RecordingError?) {
    let whenDecided = controls.withLock { controls in
      defer { controls.whenDecided = nil }
      return controls.whenDecided
    }
    whenDecided?(error)
  }

  /// It does not begin.
  private func giveUp(_ error: RecordingError) {
    var summary = RecordingSummary()
    summary.failure = error
    conclude(summary)
    decide(error)
  }

  /// Waits no longer for a source that is being opened.
  private func giveUpOpening() {
    let isOpening = state.withLock { state in
      guard state.isOpening else { return false }
      state.isOpening = false
      return true
    }
    if isOpening { giveUp(.stopped) }
  }

  private func open(
    _ origin: SourceOrigin, _ outputs: [any PacketOutput]
  ) throws(RecordingError) -> (Loop, [OutputRunner]) {
    // What the encoder refuses is better known before a microphone is opened.
    let codings = [configuration.coding] + configuration.furtherCodings
    for coding in codings { try configuration.validate(coding) }
    // Packets of AAC and of samples begin at different positions.
    if Set(codings.map(\.isAAC)).count > 1 { throw .mixedCodings }
    let sink = CaptureSink()
    let source: any CaptureSource
    do throws(CaptureError) {
      source = try origin.source()
      try source.start(sink)
    } catch {
      throw .capture(error)
    }
    let isWanted = state.withLock { state in
      defer { state.isOpening = false }
      return state.isOpening
    }
    do throws(RecordingError) {
      if !isWanted { throw .stopped }
      let runners = try open(outputs)
      let pipeline = try RecordingPipeline(
        configuration, followsClock: source.followsClock, outputs: runners, events: events,
        packets: packets, sound: sound)
      state.withLock { state in
        state.sink = sink
        state.remarks = source.remarks
        state.status.sampleRate = configuration.sampleRate
        state.status.device = source.device
      }
      return (Loop(source: source, sink: sink, pipeline: pipeline), runners)
    } catch {
      source.stop()
      throw error
    }
  }

  private func open(_ outputs: [any PacketOutput]) throws(RecordingError) -> [OutputRunner] {
    var opened: [any PacketOutput] = []
    for output in outputs {
      var output = output
      do throws(OutputError) {
        try output.open()
        opened.append(output)
      } catch {
        for index in opened.indices { _ = opened[index].abandon() }
        throw .output(error)
      }
    }
    var runners: [OutputRunner] = []
    for output in opened {
      guard let runner = OutputRunner(output, events: events) else {
        for runner in runners { _ = runner.close() }
        throw .noThread
      }
      runners.append(runner)
    }
    return runners
  }

  // MARK: - Control

  /// Ends the recording with everything that was captured up to now.
  public func stop() {
    control { $0.stopTime = $0.stopTime ?? System.nanoseconds }
    if controls.withLock(\.isStarted) { giveUpOpening() }
  }

  /// Pauses or resumes the recording.
  ///
  /// Audio in between is left out.
  public func setPaused(_ isPaused: Bool) { control { $0.isPaused = isPaused } }

  /// Mutes or unmutes the recording; time keeps running.
  public func setMuted(_ isMuted: Bool) { control { $0.isMuted = isMuted } }

  /// Multiplies everything that follows by a factor.
  public func setGain(_ gain: Float) { control { $0.gain = gain } }

  /// Starts a new file with the next sample.
  public func startNewSegment() { control { $0.newSegments += 1 } }

  /// Switches to another source.
  ///
  /// If it cannot be opened, the old one stays, and an event says why.
  public func switchSource(to source: any CaptureSource) { control { $0.source = source } }

  private func control(_ change: (inout Controls) -> Void) {
    controls.withLock { change(&$0) }
    state.withLock { $0.sink }?.poke()
  }

  /// The current status, with the peaks since the last call.
  public func takeStatus() -> RecordingStatus {
    state.withLock { state in
      defer { state.status.peaks = [] }
      return state.status
    }
  }

  /// Details of the source that explain how it behaves.
  public var remarks: [String] { state.withLock { $0.remarks } }

  /// The summary, once the recording has ended.
  public var summary: RecordingSummary? { state.withLock { $0.summary } }

  /// Waits for the end, for at most this time.
  public func waitForEnd(for time: Duration) -> RecordingSummary? {
    if summary == nil { _ = isEnded.wait(milliseconds: time.millisecondsToWait) }
    return summary
  }

  /// Waits for the end without blocking a thread.
  public func end() async -> RecordingSummary {
    if !controls.withLock(\.isStarted) { return RecordingSummary() }
    return await withCheckedContinuation { continuation in
      let summary = state.withLock { state in
        if state.summary == nil { state.waiters.append(continuation) }
        return state.summary
      }
      if let summary { continuation.resume(returning: summary) }
    }
  }
}

// MARK: - The session's thread

extension RecordingSession {
  private struct Loop {
    var source: any CaptureSource
    var sink: CaptureSink
    /// The source that is to take over.
    var opening: SourceOpening?
    /// What it has delivered while the old one was being closed.
    var early: [(block: CaptureBlock, samples: [Float])] = []
    /// The source that is wanted after that one.
    var nextSource: (any CaptureSource)?
    /// The end or the failure of the old source, which matters only if no other one takes over.
    var oldEnd: CaptureBlock?
    var pipeline: RecordingPipeline
    var samples: [Float] = []
    /// Consecutive checks that found nothing.
    var idleCount = 0
    var stopTime: Int64?
    var newSegments = 0
    var failure: RecordingError?
  }

  /// How long to wait for a block at a time, in milliseconds.
  private static let look = 50
  /// Waits without a block after which the source is considered stalled.
  ///
  /// They are counted rather than timed, because the clock keeps running while the whole program is
  /// stopped.
  private static let standstill = 40
  /// How long a device may take for its first sample: a wireless one needs some seconds.
  private static let patience = Duration.seconds(10)

  private func run(_ loop: inout Loop, _ runners: [OutputRunner]) {
    do throws(RecordingError) {
      while try step(&loop, runners) {}
    } catch {
      loop.failure = error
    }
    stopSources(&loop)
    do throws(RecordingError) {
      if loop.failure == nil {
        while try takeBlock(&loop, milliseconds: 0) {}
        try loop.pipeline.addDropped(frameCount: loop.sink.takeDroppedFrameCount())
      }
      try loop.pipeline.finish(at: loop.stopTime)
    } catch {
      loop.failure = loop.failure ?? error
    }
    finish(&loop, runners)
  }

  /// Returns false when it is time to end.
  private func step(_ loop: inout Loop, _ runners: [OutputRunner]) throws(RecordingError) -> Bool {
    try obey(&loop)
    try loop.pipeline.noteSleep(System.sleptNanoseconds)
    if loop.stopTime != nil || loop.pipeline.isDone { return false }
    if try takeBlock(&loop, milliseconds: Self.look) {
      loop.idleCount = 0
    } else {
      loop.idleCount += 1
      try checkLife(of: loop)
      try loop.pipeline.idle(
        now: System.nanoseconds, isStandstill: loop.idleCount >= Self.standstill)
    }
    state.withLock { state in
      loop.pipeline.update(&state.status)
      state.status.device = loop.source.device ?? state.status.device
    }
    if !runners.isEmpty, runners.allSatisfy({ $0.failure != nil }),
      let failure = runners.last?.failure
    {
      throw .allOutputsFailed(failure)
    }
    return true
  }

  /// Throws if the whole recording should have been over by now and not one sample has come.
  private func checkLife(of loop: borrowing Loop) throws(RecordingError) {
    guard let duration = configuration.duration, loop.source.followsClock,
      !loop.pipeline.hasStarted, loop.opening == nil,
      .milliseconds(loop.idleCount * Self.look) > max(duration, Self.patience)
    else { return }
    throw .capture(
      .system(
        operation: "capture from", id: loop.source.device?.id ?? "",
        reason: "it delivers no samples"))
  }

  private func takeBlock(_ loop: inout Loop, milliseconds: Int) throws(RecordingError) -> Bool {
    loop.samples.removeAll(keepingCapacity: true)
    guard let block = loop.sink.read(into: &loop.samples, milliseconds: milliseconds) else {
      return false
    }
    if loop.opening != nil, block.notice == .ended || block.notice == .failed {
      loop.oldEnd = block
      return true
    }
    try take(block, &loop)
    return true
  }

  private func take(_ block: CaptureBlock, _ loop: inout Loop) throws(RecordingError) {
    if block.notice == .failed {
      throw .capture(
        loop.source.failure
          ?? .system(
            operation: "capture from", id: loop.source.device?.id ?? "", reason: "it failed"))
    }
    let device = block.notice == .samples && loop.pipeline.hasStarted ? nil : loop.source.device
    try loop.pipeline.accept(block, loop.samples, from: device)
  }

  /// Carries out requests made since the last check.
  private func obey(_ loop: inout Loop) throws(RecordingError) {
    let controls = controls.withLock { controls in
      let now = controls
      controls.source = nil
      return now
    }
    loop.pipeline.pause(controls.isPaused, at: System.nanoseconds)
    loop.pipeline.mute(controls.isMuted)
    loop.pipeline.amplify(controls.gain)
    if controls.newSegments > loop.newSegments {
      loop.newSegments = controls.newSegments
      loop.pipeline.startNewSegment()
    }
    loop.stopTime = controls.stopTime
    try lookAtOpening(&loop)
    if let source = controls.source { change(&loop, to: source) }
  }

  /// Has another source opened, which is to take over; one that is still being opened is given up.
  private func change(_ loop: inout Loop, to source: any CaptureSource) {
    let id = source.device?.id ?? ""
    if source.followsClock != loop.source.followsClock {
      let reason = "its clock differs from that of the previous device"
      return events(.sourceRefused(.unsupportedFormat(id: id, reason: reason)))
    }
    if let opening = loop.opening, !opening.abandon() {
      loop.nextSource = source
      return
    }
    let opening = SourceOpening(source)
    guard opening.begin(replacing: loop.source, loop.sink) else {
      loop.opening = nil
      let reason = "the system has no threads left"
      return events(.sourceRefused(.system(operation: "open", id: id, reason: reason)))
    }
    loop.opening = opening
  }

  /// Lets a source take over that has been opened since the last look.
  private func lookAtOpening(_ loop: inout Loop) throws(RecordingError) {
    guard let opening = loop.opening else { return }
    switch opening.phase {
    case .opening: return
    case .closingOld: hearEarly(&loop, opening)
    case .abandoned: loop.opening = nil
    case .failed(let error):
      loop.opening = nil
      events(.sourceRefused(error))
      if let end = loop.oldEnd {
        loop.oldEnd = nil
        try take(end, &loop)
      }
    case .done:
      try takeOver(&loop, opening)
      if let next = loop.nextSource {
        loop.nextSource = nil
        change(&loop, to: next)
      }
    }
  }

  /// Takes the new source's sound out of its ring, which has no room for as long as closing the old
  /// one may last.
  private func hearEarly(_ loop: inout Loop, _ opening: SourceOpening) {
    var samples: [Float] = []
    while let block = opening.sink.read(into: &samples, milliseconds: 0) {
      loop.early.append((block, samples))
      samples = []
    }
  }

  private func takeOver(_ loop: inout Loop, _ opening: SourceOpening) throws(RecordingError) {
    let (source, oldSink) = (opening.source, loop.sink)
    loop.opening = nil
    loop.oldEnd = nil
    loop.source = source
    loop.samples.removeAll(keepingCapacity: true)
    while let block = oldSink.read(into: &loop.samples, milliseconds: 0) {
      if block.notice == .samples { try loop.pipeline.accept(block, loop.samples, from: nil) }
      loop.samples.removeAll(keepingCapacity: true)
    }
    try loop.pipeline.addDropped(frameCount: oldSink.takeDroppedFrameCount())
    try loop.pipeline.changeSource()
    loop.sink = opening.sink
    state.withLock { state in
      state.sink = opening.sink
      state.status.device = source.device
      state.remarks = source.remarks
    }
    events(.deviceChanged(source.device))
    hearEarly(&loop, opening)
    let early = loop.early
    loop.early = []
    for (block, samples) in early {
      loop.samples = samples
      try take(block, &loop)
    }
  }

  /// Ends what takes sound in: the source, and one that may just be taking over.
  private func stopSources(_ loop: inout Loop) {
    if let opening = loop.opening, !opening.abandon() {
      opening.waitUntilDone()
      if loop.failure == nil {
        do throws(RecordingError) {
          try takeOver(&loop, opening)
        } catch {
          loop.failure = error
        }
      }
      opening.source.stop()
    }
    loop.opening = nil
    loop.source.stop()
  }

  private func finish(_ loop: inout Loop, _ runners: [OutputRunner]) {
    var summary = loop.pipeline.summary
    for runner in runners { runner.beginToClose() }
    for runner in runners {
      summary.outputs += runner.close()
      summary.losses += runner.losses
      if let failure = runner.failure, loop.failure == nil, runners.count == 1 {
        loop.failure = .allOutputsFailed(failure)
      }
    }
    summary.failure = loop.failure
    state.withLock { loop.pipeline.update(&$0.status) }
    conclude(summary)
  }

  /// Tells everybody what has become of the recording, once.
  private func conclude(_ summary: RecordingSummary) {
    let waiters = state.withLock { state -> [CheckedContinuation<RecordingSummary, Never>]? in
      if state.summary != nil { return nil }
      state.status.isStopped = true
      state.summary = summary
      defer { state.waiters = [] }
      return state.waiters
    }
    guard let waiters else { return }
    events(.stopped(summary))
    isEnded.signal()
    for waiter in waiters { waiter.resume(returning: summary) }
  }
}
