import AacornDevices
import AacornSystem

extension RecordingPipeline {
  /// Nothing came for a while.
  ///
  /// While the device is known to be away, silence keeps time.
  mutating func idle(now: Int64, isStandstill: Bool) throws(RecordingError) {
    guard followsClock, startTime != nil, !isComplete else { return }
    if isStandstill && absence == nil {
      try settle()
      absence = .unexplained
      timeline.expectLoss(.unexplained)
    }
    // What is late by less may still come with its samples.
    try fillAbsence(until: now - 300_000_000)
  }

  mutating func fillAbsence(until time: Int64) throws(RecordingError) {
    guard let absence, held.isEmpty, let clock = timeline.clock else { return }
    let start = clock.nextTime
    let count = timeline.frames(until: time)
    try fill(count, absence, at: start)
  }

  /// Accounts for the time up to the end: in a device that is away, or one that fell silent.
  mutating func fillRest(until time: Int64) throws(RecordingError) {
    guard let clock = timeline.clock else { return }
    // What came last is always a little old.
    if absence == nil && time - clock.nextTime > 300_000_000 { absence = .unexplained }
    try fillAbsence(until: time)
  }

  /// Frames that the source had to drop, and no later block has told of.
  mutating func addDropped(frameCount: Int) throws(RecordingError) {
    guard frameCount > 0, let clock = timeline.clock else { return }
    try settle()
    timeline.skip(frameCount)
    try fill(frameCount, .programLate, at: clock.nextTime)
  }

  /// Accounts for the sleep of the whole computer, during which the monotonic clock stood still.
  mutating func noteSleep(_ sleptTime: Int64) throws(RecordingError) {
    let slept = sleptTime - lastSleptTime
    lastSleptTime = sleptTime
    guard followsClock, slept > 100_000_000, let clock = timeline.clock else { return }
    try settle()
    let start = clock.nextTime
    try fill(Int(Double(slept) * 1e-9 * Double(clock.sampleRate)), .suspended, at: start)
    closeGap()
    wallOffset = System.wallNanoseconds - System.nanoseconds
  }

  /// Decides about what is held, because nothing more comes.
  mutating func settle() throws(RecordingError) {
    let (lost, cause) = timeline.finish()
    try release(lost: lost, cause)
  }

  /// The end: everything that waits goes out.
  ///
  /// `time` is when the end was asked for; a device that is away is waited for in silence until
  /// then.
  mutating func finish(at time: Int64?) throws(RecordingError) {
    if !isComplete {
      try settle()
      if let time, followsClock { try fillRest(until: time) }
      closeGap()
      if isPaused { pause(false, at: System.nanoseconds) }
      input.finish(into: &frames)
      try take()
    }
    closeGap()
    if hasSegment { endSegment() }
    deliverGaps()
  }

  /// Pauses, or goes on.
  mutating func pause(_ isPaused: Bool, at time: Int64) {
    guard isPaused != self.isPaused else { return }
    self.isPaused = isPaused
    closeGap()
    if isPaused {
      pausedCount = 0
      pauseWallTime = time + wallOffset
    } else if pausedCount > 0 {
      record(
        Gap(
          position: input.position, length: pausedCount, cause: .paused, wallTime: pauseWallTime))
    }
    events(.paused(isPaused))
  }

  mutating func leaveOut(_ frameCount: Int, _ rate: Int) {
    pausedCount += Int(
      (Double(frameCount) * Double(configuration.sampleRate) / Double(rate)).rounded())
  }

  /// Mutes, or no longer.
  mutating func mute(_ isMuted: Bool) {
    guard isMuted != input.isMuted else { return }
    input.isMuted = isMuted
    events(.muted(isMuted))
  }

  /// Multiplies with another number from here on.
  mutating func amplify(_ gain: Float) {
    input.gain = gain
  }

  /// Once a second, has the recording's length follow the computer's clock.
  mutating func correctForWallClock(_ block: CaptureBlock) {
    guard configuration.followsWallClock, let startTime, sampleCount >= nextCorrection else {
      return
    }
    nextCorrection = sampleCount + configuration.sampleRate
    let elapsed = Double(block.time - startTime) * 1e-9 * Double(configuration.sampleRate)
    let behind = elapsed - Double(sampleCount + ledger.pausedSampleCount)
    let drift = timeline.clock?.driftPartsPerMillion ?? 0
    // A lag is made good over half a minute, slower than any ear would notice.
    let correction = behind / Double(configuration.sampleRate) / 30 * 1e6
    input.stretch(partsPerMillion: min(max(correction - drift, -1000), 1000))
  }
}
