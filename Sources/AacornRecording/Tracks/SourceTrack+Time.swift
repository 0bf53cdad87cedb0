import AacornSystem

extension SourceTrack {
  /// Handles a time without blocks.
  ///
  /// While the device is known to be away, silence fills the time.
  mutating func idle(now: Int64, isStandstill: Bool) {
    guard followsClock, hasStarted else { return }
    if isStandstill && absence == nil {
      settle()
      absence = .unexplained
      timeline.expectLoss(.unexplained)
    }
    // Samples that are later than this are lost; others may still arrive.
    fillAbsence(until: now - 300_000_000)
  }

  private mutating func fillAbsence(until time: Int64) {
    guard let absence, held.isEmpty, let clock = timeline.clock else { return }
    let count = timeline.frames(until: time)
    fill(count, absence, at: clock.nextTime, clock.sampleRate)
  }

  /// Puts so much silence after the sound of a device that is gone that the resampler holds none of it.
  ///
  /// One that is only suspended may still deliver what it has captured.
  mutating func pushOut() {
    guard absence == .deviceLost, let clock = timeline.clock, input.heldCount > 0 else { return }
    let seconds = Double(input.heldCount + 2) / Double(configuration.sampleRate)
    fillAbsence(until: clock.nextTime + Int64(seconds * 1e9))
  }

  /// Fills the time up to the end if the device is away or has gone silent.
  private mutating func fillRest(until time: Int64) {
    guard let clock = timeline.clock else { return }
    // The last block is always slightly old.
    if absence == nil && time - clock.nextTime > 300_000_000 { absence = .unexplained }
    fillAbsence(until: time)
  }

  /// Accounts for frames that the source had to drop and no later block has reported.
  mutating func addDropped(frameCount: Int) {
    guard frameCount > 0, let clock = timeline.clock else { return }
    settle()
    timeline.skip(frameCount)
    fill(frameCount, .programLate, at: clock.nextTime, clock.sampleRate)
  }

  /// Accounts for sleep of the whole computer, during which the monotonic clock stood still.
  mutating func noteSleep(_ sleptTime: Int64) {
    let slept = sleptTime - lastSleptTime
    lastSleptTime = sleptTime
    guard followsClock, slept > 100_000_000, let clock = timeline.clock else { return }
    settle()
    let count = Int(Double(slept) * 1e-9 * Double(clock.sampleRate))
    fill(count, .suspended, at: clock.nextTime, clock.sampleRate)
    work.append(.endOfGap)
    wallOffset = System.wallNanoseconds - System.nanoseconds
  }

  /// Decides about held blocks, because nothing more comes.
  mutating func settle() {
    let (lost, cause) = timeline.finish()
    release(lost: lost, cause)
  }

  /// Prepares for another source from here on.
  mutating func changeSource() {
    settle()
    timeline.expectLoss(.deviceLost)
    overlapEnd = timeline.clock?.nextTime
    hasEnded = false
  }

  /// Nothing more comes.
  ///
  /// `time` is when the end was requested; if the device is away, silence fills the time until
  /// then.
  mutating func end(at time: Int64?) {
    settle()
    if let time, followsClock { fillRest(until: time) }
    work.append(.endOfGap)
    work.append(.end)
  }
}
