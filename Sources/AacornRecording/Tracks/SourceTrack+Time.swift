import AacornDevices
import AacornSystem

extension SourceTrack {
  /// Handles a period without blocks.
  ///
  /// While the device is known to be missing, silence fills the time after the first sample.
  mutating func idle(now: Int64, isStalled: Bool) {
    guard followsClock else { return }
    reportStall()
    if isStalled && absence == nil {
      resolveHeldBlocks()
      absence = .unexplained
      if hasStarted { timeline.expectLoss(.unexplained) }
    }
    // Samples captured before this time are lost; later samples may still arrive.
    fillAbsence(until: now - 300_000_000)
  }

  /// Reports a stall once, unless the recording is paused.
  ///
  /// Called before a stall is detected: if the process itself was suspended, the next poll finds
  /// the waiting blocks, and there is nothing to report.
  private mutating func reportStall() {
    guard absence == .unexplained, !isStalled, !isToBePaused else { return }
    isStalled = true
    work.append(.event(.stalled))
  }

  private mutating func fillAbsence(until time: Int64) {
    guard let absence, held.isEmpty, let clock = timeline.clock else { return }
    let count = timeline.frames(until: time)
    fill(count, cause: absence, at: clock.nextTime, sampleRate: clock.sampleRate)
  }

  /// Appends enough silence after the audio of a lost device to flush the resampler.
  ///
  /// Does nothing for a suspended device, which may still deliver captured samples.
  mutating func flushWithSilence() {
    guard absence == .deviceLost, let clock = timeline.clock else { return }
    let seconds = Double(input.heldCount + 2) / Double(configuration.sampleRate)
    fillAbsence(until: clock.nextTime + Int64(seconds * 1e9))
  }

  /// Fills the time up to the end if the device is missing or has fallen silent.
  private mutating func fillRest(until time: Int64) {
    guard let clock = timeline.clock else { return }
    // The last block is always slightly old, so 300 ms without samples are tolerated.
    if absence == nil && time - clock.nextTime > 300_000_000 { absence = .unexplained }
    fillAbsence(until: time)
  }

  /// Accounts for frames that the source dropped and no later block has reported.
  mutating func addDropped(frameCount: Int) {
    guard frameCount > 0, timeline.clock != nil else { return }
    resolveHeldBlocks()
    guard let clock = timeline.clock else { return }
    timeline.skip(frameCount)
    fill(frameCount, cause: .programLate, at: clock.nextTime, sampleRate: clock.sampleRate)
  }

  /// Accounts for sleep of the whole computer, during which the monotonic clock stopped.
  mutating func recordSleep(_ sleptTime: Int64) {
    let slept = sleptTime - lastSleptTime
    lastSleptTime = sleptTime
    guard followsClock, slept > 100_000_000, timeline.clock != nil else { return }
    resolveHeldBlocks()
    guard let clock = timeline.clock else { return }
    let count = Int(Double(slept) * 1e-9 * Double(clock.sampleRate))
    fill(count, cause: .suspended, at: clock.nextTime, sampleRate: clock.sampleRate)
    work.append(.endOfGap)
    wallOffset = System.wallNanoseconds - System.nanoseconds
  }

  /// Decides about held blocks when no more blocks arrive.
  mutating func resolveHeldBlocks() {
    let (lost, cause) = timeline.finish()
    release(lost: lost, cause)
  }

  /// Prepares for another source from here on.
  mutating func changeSource(to device: Device?) {
    resolveHeldBlocks()
    self.device = device
    timeline.expectLoss(.deviceLost)
    overlapEnd = timeline.clock?.nextTime
    hasEnded = false
  }

  /// Ends the track.
  ///
  /// `time` is the time at which the end was requested; if the device is missing, silence fills the
  /// time until then.
  mutating func end(at time: Int64?) {
    resolveHeldBlocks()
    if let time, followsClock { fillRest(until: time) }
    work.append(.endOfGap)
    work.append(.end)
  }
}
