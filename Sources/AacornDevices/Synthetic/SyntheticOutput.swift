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
