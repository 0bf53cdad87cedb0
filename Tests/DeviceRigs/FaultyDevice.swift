package import AacornDevices

/// A simulated device: a signal, a clock and a script of faults.
///
/// It has no thread and does not use the system's clock; each call of `next` returns the next event
/// and its time.
package struct FaultyDevice {
  /// The next event.
  package enum Step {
    /// Samples that are complete at a given time.
    case block(CaptureBlock, completeAt: Int64)
    /// An event at a given time.
    case event(DeviceEvent, at: Int64)
    /// A final failure.
    case failure(DeviceError, at: Int64)

    /// The time of the event.
    package var time: Int64 {
      switch self {
      case .block(_, let time), .event(_, let time), .failure(_, let time): time
      }
    }
  }

  package private(set) var device: Device
  private var signal: any SyntheticSignal
  private var script: FaultScript
  private var channelCount: Int
  private var lost = (frameCount: 0, cause: CaptureLoss.overrun)
  /// The current absence, which `next` ends once it has returned the pending steps; nil if there is
  /// none.
  private(set) var absence: DeviceAbsence?
  /// The steps to return first.
  private var pendingSteps: [Step] = []
  /// A buffer for the signal's samples if the signal's channels differ from the device's.
  private var unmapped: [Float] = []

  package init(
    _ device: Device, playing signal: any SyntheticSignal, faults: SyntheticFaults,
    startTime: Int64
  ) {
    self.device = device
    self.signal = signal
    script = FaultScript(faults, sampleRate: signal.sampleRate, startTime: startTime)
    channelCount = signal.channelCount
  }

  /// Returns the next event; the samples of a block replace the content of `samples`.
  ///
  /// The event `ended` and a failure are final.
  package mutating func next(into samples: inout [Float]) -> Step {
    samples.removeAll(keepingCapacity: true)
    if pendingSteps.isEmpty { endAbsence() }
    while pendingSteps.isEmpty, let fault = script.takeFault() { apply(fault) }
    if !pendingSteps.isEmpty { return pendingSteps.removeFirst() }

    let now = script.now
    let count = read(into: &samples, frameCount: script.blockFrameCount())
    if count == 0 && lost.frameCount == 0 {
      if let failure = signal.failure, !failure.isDamage { return .failure(failure, at: now) }
      return .event(.ended, at: now)
    }
    let block = CaptureBlock(
      frameCount: count, channelCount: channelCount, sampleRate: script.clock.sampleRate,
      time: now &+ script.timeError(), isTimeReliable: script.isReliable,
      lostFrameCount: lost.frameCount, lossCause: lost.cause,
      layout: channelCount == signal.channelCount ? signal.layout : nil)
    lost = (0, .overrun)
    script.position += count
    return .block(block, completeAt: script.now)
  }

  /// The damage found in the part of the signal that was read up to now; nil if there is none.
  var damage: DeviceError? { signal.failure.flatMap { $0.isDamage ? $0 : nil } }

  private mutating func apply(_ kind: SyntheticFaults.Kind) {
    let now = script.now
    switch kind {
    case .loss(let frameCount, let cause):
      lost = (lost.frameCount + pass(frameCount), cause)
    case .silentLoss(let frameCount):
      _ = pass(frameCount)
    case .absence(let duration, let replacement):
      pendingSteps.append(.event(.deviceLost, at: now))
      absence = DeviceAbsence(
        start: now, frameCount: script.frameCount(of: duration), end: .deviceReturned,
        replacement: replacement)
    case .exchange(let replacement):
      replace(with: replacement)
    case .formatChange(let sampleRate, let channelCount):
      replace(
        with: SyntheticFaults.Replacement(sampleRate: sampleRate, channelCount: channelCount))
    case .suspension(let duration):
      pendingSteps.append(.event(.suspended, at: now))
      absence = DeviceAbsence(
        start: now, frameCount: script.frameCount(of: duration), end: .resumed)
    case .unreliableTimes(let frameCount):
      script.markUnreliable(frameCount: frameCount)
    case .failure(let error):
      pendingSteps.append(.failure(error, at: now))
    }
  }

  /// The end time of the current absence; nil if there is none, or if other steps are due first.
  var absenceEnd: Int64? {
    guard pendingSteps.isEmpty, let absence else { return nil }
    return script.time(after: absence.frameCount)
  }

  /// Shortens the absence, to end at a time of the clock.
  mutating func cutAbsence(at time: Int64) {
    guard let absence else { return }
    let frameCount = script.frameCount(of: .nanoseconds(max(0, time - absence.start)))
    self.absence?.frameCount = min(absence.frameCount, frameCount)
  }

  private mutating func endAbsence() {
    guard let absence else { return }
    self.absence = nil
    _ = pass(absence.frameCount)
    pendingSteps.append(.event(absence.end, at: script.now))
    if let replacement = absence.replacement { replace(with: replacement) }
  }

  /// Skips frames without delivering them, and returns their number.
  private mutating func pass(_ frameCount: Int) -> Int {
    var skippedSamples: [Float] = []
    var skipped = 0
    while skipped < frameCount {
      skippedSamples.removeAll(keepingCapacity: true)
      let count = signal.read(
        into: &skippedSamples, frameCount: min(4096, frameCount - skipped))
      if count == 0 { break }
      skipped += count
    }
    script.position += skipped
    return skipped
  }

  private mutating func replace(with replacement: SyntheticFaults.Replacement) {
    let sampleRate = replacement.sampleRate ?? script.clock.sampleRate
    script.clock.change(to: sampleRate, from: script.position)
    channelCount = replacement.channelCount ?? channelCount
    signal.reconfigureIfPossible(sampleRate: sampleRate, channelCount: channelCount)
    device.sampleRate = sampleRate
    device.channelCount = channelCount
    if let id = replacement.deviceID {
      device.id = id
      device.name = id
      pendingSteps.append(.event(.deviceChanged, at: script.now))
    }
  }

  private mutating func read(into samples: inout [Float], frameCount: Int) -> Int {
    let available = signal.channelCount
    if available == channelCount {
      return signal.read(into: &samples, frameCount: frameCount)
    }
    unmapped.removeAll(keepingCapacity: true)
    let count = signal.read(into: &unmapped, frameCount: frameCount)
    for frame in 0..<count {
      for channel in 0..<channelCount {
        samples.append(unmapped[frame * available + channel % available])
      }
    }
    return count
  }
}

/// A period without samples in the script of a simulated device.
struct DeviceAbsence {
  /// The time at which the absence starts, in nanoseconds.
  let start: Int64
  /// The length in frames.
  var frameCount: Int
  /// The event that is sent at the end.
  let end: DeviceEvent
  /// The device that replaces this one at the end; nil for no change.
  var replacement: SyntheticFaults.Replacement?
}
