import AacornSignal

/// A simulated device: a signal, a clock and a script of faults.
///
/// It has no thread and does not use the system's clock; each call of `next` returns the next event
/// and its time.
struct SyntheticDevice {
  /// The next event.
  enum Step {
    /// Samples that are complete at a given time.
    case block(CaptureBlock, completeAt: Int64)
    /// An event at a given time.
    case event(DeviceEvent, at: Int64)
    /// A final failure.
    case failure(DeviceError, at: Int64)

    /// The time of the event.
    var time: Int64 {
      switch self {
      case .block(_, let time), .event(_, let time), .failure(_, let time): time
      }
    }
  }

  private(set) var device: Device
  private var signal: any SyntheticSignal
  private var script: SyntheticScript
  private var channelCount: Int
  private var lost = (frameCount: 0, cause: CaptureLoss.overrun)
  /// The current absence, which `next` ends once it has returned the pending steps; nil if there is
  /// none.
  private(set) var absence: SyntheticAbsence?
  /// The steps to return first.
  private var pendingSteps: [Step] = []
  /// A buffer for the signal's samples if the signal's channels differ from the device's.
  private var unmapped: [Float] = []

  init(
    _ device: Device, playing signal: any SyntheticSignal, blockDuration: Duration,
    faults: SyntheticFaults, startTime: Int64
  ) {
    self.device = device
    self.signal = signal
    script = SyntheticScript(
      faults, sampleRate: signal.sampleRate, blockDuration: blockDuration, startTime: startTime)
    channelCount = signal.channelCount
  }

  /// Returns the next event; the samples of a block replace the content of `samples`.
  ///
  /// The event `ended` and a failure are final.
  mutating func next(into samples: inout [Float]) -> Step {
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
      absence = SyntheticAbsence(
        start: now, frameCount: script.frameCount(of: duration), end: .deviceReturned,
        replacement: replacement)
    case .exchange(let replacement):
      replace(with: replacement)
    case .formatChange(let sampleRate, let channelCount):
      replace(
        with: SyntheticFaults.Replacement(sampleRate: sampleRate, channelCount: channelCount))
    case .suspension(let duration):
      pendingSteps.append(.event(.suspended, at: now))
      absence = SyntheticAbsence(
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
    let passed = signal.skip(frameCount: frameCount)
    script.position += passed
    return passed
  }

  private mutating func replace(with replacement: SyntheticFaults.Replacement) {
    let sampleRate = SampleLimits.sampleRate(
      replacement.sampleRate ?? script.clock.sampleRate)
    script.clock.change(to: sampleRate, from: script.position)
    channelCount = SampleLimits.channelCount(replacement.channelCount ?? channelCount)
    signal.reconfigure(sampleRate: sampleRate, channelCount: channelCount)
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
    if available < 1 { return 0 }
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
struct SyntheticAbsence {
  /// The time at which the absence starts, in nanoseconds.
  let start: Int64
  /// The length in frames.
  var frameCount: Int
  /// The event that is sent at the end.
  let end: DeviceEvent
  /// The device that replaces this one at the end; nil for no change.
  var replacement: SyntheticFaults.Replacement?
}

/// A simulated output: a clock and a script of faults.
///
/// It has no thread and no samples, and does not use the system's clock; each call of `next`
/// returns the next event and its time.
struct SyntheticOutput {
  /// The next event.
  enum Step: Equatable {
    /// The device reads frames; `reportedTime` is the time that it reports for the block, or nil.
    case block(frameCount: Int, at: Int64, reportedTime: Int64?)
    /// The device gets no samples for `frameCount` frames; `isCounted` states whether it reports
    /// that.
    case silence(frameCount: Int, at: Int64, isCounted: Bool)
    /// An event at a given time.
    case event(DeviceEvent, at: Int64)
    /// A final failure.
    case failure(DeviceError, at: Int64)

    /// The time of the event.
    var time: Int64 {
      switch self {
      case .block(_, let time, _), .silence(_, let time, _), .event(_, let time),
        .failure(_, let time):
        time
      }
    }
  }

  private(set) var device: Device
  /// The maximum number of frames of a `silence` step.
  private static let maxSilenceFrameCount = 1 << 24
  private var script: SyntheticScript
  /// The steps to return next.
  private var waiting: [Step] = []

  /// Creates an output that reads frames of this rate from `startTime` on.
  init(
    _ device: Device, sampleRate: Int, blockDuration: Duration, faults: SyntheticFaults,
    startTime: Int64
  ) {
    self.device = device
    script = SyntheticScript(
      faults, sampleRate: sampleRate, blockDuration: blockDuration, startTime: startTime)
  }

  /// Returns the next event; a failure is final.
  mutating func next() -> Step {
    while waiting.isEmpty, let fault = script.takeFault() { apply(fault) }
    if !waiting.isEmpty { return waiting.removeFirst() }
    let now = script.now
    let isReliable = script.isReliable
    let count = script.blockFrameCount()
    script.pass(count)
    return .block(
      frameCount: count, at: now, reportedTime: isReliable ? now &+ script.timeError() : nil)
  }

  /// Postpones all later events, such as after the program was stopped for a while.
  mutating func postpone(by nanoseconds: Int64) { script.clock.postpone(by: nanoseconds) }

  private mutating func apply(_ kind: SyntheticFaults.Kind) {
    let now = script.now
    switch kind {
    case .loss(let frameCount, _):
      let silence = min(max(0, frameCount), Self.maxSilenceFrameCount)
      waiting.append(.silence(frameCount: silence, at: now, isCounted: true))
      script.pass(frameCount)
    case .silentLoss(let frameCount):
      let silence = min(max(0, frameCount), Self.maxSilenceFrameCount)
      waiting.append(.silence(frameCount: silence, at: now, isCounted: false))
      script.pass(frameCount)
    case .absence(let duration, let replacement):
      waiting.append(.event(.deviceLost, at: now))
      script.pass(script.frameCount(of: duration))
      waiting.append(.event(.deviceReturned, at: script.now))
      replace(with: replacement)
    case .exchange(let replacement):
      replace(with: replacement)
    case .formatChange(let sampleRate, let channelCount):
      replace(
        with: SyntheticFaults.Replacement(sampleRate: sampleRate, channelCount: channelCount))
    case .suspension(let duration):
      waiting.append(.event(.suspended, at: now))
      script.pass(script.frameCount(of: duration))
      waiting.append(.event(.resumed, at: script.now))
    case .unreliableTimes(let frameCount):
      script.markUnreliable(frameCount: frameCount)
    case .failure(let error):
      waiting.append(.failure(error, at: now))
    }
  }

  /// Replaces the device; played audio keeps its rate and channels, as a sound system converts
  /// them.
  private mutating func replace(with replacement: SyntheticFaults.Replacement) {
    if let rate = replacement.sampleRate { device.sampleRate = max(1, rate) }
    if let count = replacement.channelCount { device.channelCount = max(1, count) }
    if let id = replacement.deviceID {
      device.id = id
      device.name = id
      waiting.append(.event(.deviceChanged, at: script.now))
    }
  }
}
