import AacornDevices
import AacornSystem

/// The session's thread, which empties the source's ring until the recording ends.
extension RecordingSession {
  struct Loop {
    var source: any CaptureSource
    var sink: CaptureSink
    /// The source that should take over.
    var opening: SourceOpening?
    /// The blocks of the new source from the time when the old one was being closed.
    var early: [(block: CaptureBlock, samples: [Float])] = []
    /// The source to open after the source in `opening`.
    var nextSource: (any CaptureSource)?
    /// The end or the failure of the old source, which matters only if no other source takes over.
    var oldEnd: CaptureBlock?
    var pipeline: RecordingPipeline
    var samples: [Float] = []
    /// Consecutive polls without a block.
    var idleCount = 0
    var stopTime: Int64?
    /// Whether the monitor has been notified that no input is arriving.
    var isMonitorPaused = false
    var newSegments = 0
    var resumptions = 0
    var failure: RecordingError?
  }

  /// The maximum wait for a block in one poll, in milliseconds.
  private static let pollMilliseconds = 50
  /// The number of polls without a block after which the source is considered stalled.
  ///
  /// Polls are counted rather than timed, because the clock keeps running while the process is
  /// stopped.
  private static let stallPollCount = 40
  /// The timeout for a device's first sample: a wireless device needs some seconds.
  private static let firstSampleTimeout = Duration.seconds(10)

  func run(_ loop: inout Loop, _ runners: [OutputRunner]) {
    do throws(RecordingError) {
      while try step(&loop, runners) {}
    } catch {
      loop.failure = error
    }
    stopSources(&loop)
    do throws(RecordingError) {
      if loop.failure == nil {
        while try takeBlock(&loop, milliseconds: 0) {}
        let droppedCount = loop.sink.takeDroppedFrameCount()
        try loop.pipeline.changeLeader { $0.addDropped(frameCount: droppedCount) }
      }
      try loop.pipeline.finish(at: loop.stopTime)
    } catch {
      loop.failure = loop.failure ?? error
    }
    if !loop.pipeline.followsClock { loop.pipeline.mixdown.stopSources() }
    finish(&loop, runners)
  }

  /// Does one iteration of the loop; returns false when the recording should end.
  private func step(_ loop: inout Loop, _ runners: [OutputRunner]) throws(RecordingError) -> Bool {
    try handleRequests(&loop)
    pauseMonitor(&loop)
    loop.pipeline.mixdown.checkStalls(now: System.nanoseconds)
    let sleptTime = System.sleptNanoseconds
    try loop.pipeline.changeLeader { $0.recordSleep(sleptTime) }
    if loop.stopTime != nil || loop.pipeline.isDone { return false }
    if try takeBlock(&loop, milliseconds: Self.pollMilliseconds) {
      loop.idleCount = 0
      pauseMonitor(&loop)
    } else {
      loop.idleCount += 1
      try checkProgress(of: loop)
      try loop.pipeline.idle(
        now: System.nanoseconds, isStalled: loop.idleCount >= Self.stallPollCount)
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

  /// Notifies the monitor when the recording is paused, so that it does not treat the missing input
  /// as an underrun.
  private func pauseMonitor(_ loop: inout Loop) {
    let isPaused = loop.pipeline.mixdown.leader.isPaused
    if isPaused, !loop.isMonitorPaused, mixSink.isMonitored {
      mixSink.notify(.suspended, time: System.nanoseconds)
    }
    loop.isMonitorPaused = isPaused
  }

  /// Throws if the recording should have ended already, but no sample has arrived.
  private func checkProgress(of loop: borrowing Loop) throws(RecordingError) {
    guard let duration = configuration.duration, loop.source.followsClock,
      !loop.pipeline.hasStarted, loop.opening == nil,
      .milliseconds(loop.idleCount * Self.pollMilliseconds) > max(duration, Self.firstSampleTimeout)
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
    if loop.opening != nil, block.event == .ended || block.event == .failed {
      loop.oldEnd = block
      return true
    }
    try process(block, &loop)
    return true
  }

  func process(_ block: CaptureBlock, _ loop: inout Loop) throws(RecordingError) {
    if block.event == .failed {
      throw .capture(
        loop.source.failure
          ?? .system(
            operation: "capture from", id: loop.source.device?.id ?? "", reason: "it failed"))
    }
    let device = block.event == nil && loop.pipeline.hasStarted ? nil : loop.source.device
    try loop.pipeline.accept(block, loop.samples, from: device)
  }

  /// Carries out requests made since the last poll.
  private func handleRequests(_ loop: inout Loop) throws(RecordingError) {
    let controls = controls.withLock { controls in
      let now = controls
      controls.source = nil
      controls.trackChanges = []
      controls.effectChanges = []
      controls.bitrates = [:]
      return now
    }
    loop.pipeline.apply(controls)
    if controls.resumptions > loop.resumptions {
      loop.resumptions = controls.resumptions
      loop.source.resume()
      loop.pipeline.mixdown.resumeSources()
    }
    if controls.newSegments > loop.newSegments {
      loop.newSegments = controls.newSegments
      loop.pipeline.startNewSegment()
    }
    loop.stopTime = controls.stopTime
    try checkOpening(&loop)
    if let source = controls.source { change(&loop, to: source) }
  }

  /// Reports damage of files that were sources, unless the recording failed for another reason.
  private func reportDamage(_ loop: inout Loop) {
    if loop.failure == nil, let damage = loop.source.failure, damage.isDamage {
      loop.failure = .capture(damage)
    }
    for follower in loop.pipeline.mixdown.followers {
      guard let damage = follower.source?.failure, damage.isDamage else { continue }
      events(.trackFailed(follower.name, .capture(damage)))
    }
  }

  private func finish(_ loop: inout Loop, _ runners: [OutputRunner]) {
    var summary = loop.pipeline.summary
    let parts = loop.pipeline.partStage?.outputs ?? []
    for runner in runners + parts { runner.beginToClose() }
    for runner in runners {
      summary.close(runner)
      if let failure = runner.failure, loop.failure == nil, runners.count == 1 {
        loop.failure = .allOutputsFailed(failure)
      }
    }
    for part in parts {
      summary.close(part)
      // Report an incomplete file of a track as a loss only: the mix is complete without it.
      if let failure = part.failure { summary.losses.append(failure) }
    }
    reportDamage(&loop)
    summary.failure = loop.failure
    state.withLock { loop.pipeline.update(&$0.status) }
    complete(summary)
  }
}

extension RecordingSummary {
  /// Closes an output, and adds its results to the summary.
  fileprivate mutating func close(_ runner: OutputRunner) {
    var files = runner.close()
    let unsaved = runner.unsavedSampleCount(of: sampleCount)
    if !files.isEmpty { files[files.count - 1].unsavedSampleCount = unsaved }
    unsavedSampleCount = max(unsavedSampleCount, unsaved)
    outputs += files
    losses += runner.losses
  }
}
