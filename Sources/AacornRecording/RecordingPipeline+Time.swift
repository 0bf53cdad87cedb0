import AacornDevices
import AacornSystem

extension RecordingPipeline {
  /// Handles a time without blocks.
  ///
  /// While the device is known to be away, silence fills the time.
  mutating func idle(now: Int64, isStandstill: Bool) throws(RecordingError) {
    guard followsClock, startTime != nil, !isComplete else { return }
    if isStandstill && absence == nil {
      try settle()
      absence = .unexplained
      timeline.expectLoss(.unexplained)
    }
    // Samples that are later than this are lost; others may still arrive.
    try fillAbsence(until: now - 300_000_000)
  }

  mutating func fillAbsence(until time: Int64) throws(RecordingError) {
    guard let absence, held.isEmpty, let clock = timeline.clock else { return }
    let start = clock.nextTime
    let count = timeline.frames(until: time)
    try fill(count, absence, at: start)
  }

  /// Fills the time up to the end if the device is away or has gone silent.
  mutating func fillRest(until time: Int64) throws(RecordingError) {
    guard let clock = timeline.clock else { return }
    // The last block is always slightly old.
    if absence == nil && time - clock.nextTime > 300_000_000 { absence = .unexplained }
    try fillAbsence(until: time)
  }

  /// Accounts for frames that the source had to drop and no later block has reported.
  mutating func addDropped(frameCount: Int) throws(RecordingError) {
    guard frameCount > 0, let clock = timeline.clock else { return }
    try settle()
    timeline.skip(frameCount)
    try fill(frameCount, .programLate, at: clock.nextTime)
  }

  /// Accounts for sleep of the whole computer, during which the monotonic clock stood still.
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

  /// Decides about held blocks, because nothing more comes.
  mutating func settle() throws(RecordingError) {
    let (lost, cause) = timeline.finish()
    try release(lost: lost, cause)
  }

  /// Finishes the recording: everything that waits is output.
  ///
  /// `time` is when the end was requested; if the device is away, silence fills the time until
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

  /// Pauses or resumes.
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

  /// Mutes or unmutes.
  mutating func mute(_ isMuted: Bool) {
    guard isMuted != input.isMuted else { return }
    input.isMuted = isMuted
    events(.muted(isMuted))
  }

  /// Changes the gain from here on.
  mutating func amplify(_ gain: Float) {
    input.gain = gain
  }

  /// Once a second, adjusts the recording's length to the computer's clock.
  mutating func correctForWallClock(_ block: CaptureBlock) {
    guard configuration.followsWallClock, let startTime, sampleCount >= nextCorrection else {
      return
    }
    nextCorrection = sampleCount + configuration.sampleRate
    let elapsed = Double(block.time - startTime) * 1e-9 * Double(configuration.sampleRate)
    let behind = elapsed - Double(sampleCount + ledger.pausedSampleCount)
    let drift = timeline.clock?.driftPartsPerMillion ?? 0
    // A lag is corrected over half a minute, too slowly to be heard.
    let correction = behind / Double(configuration.sampleRate) / 30 * 1e6
    input.stretch(partsPerMillion: min(max(correction - drift, -1000), 1000))
  }
}
