import AacornSystem

/// A simulated device: a signal, a clock and a script of faults.
///
/// It has no thread and no time of its own; each call of `next` says what happens next and when.
struct SyntheticDevice {
  /// What happens next.
  enum Step {
    /// Samples that are complete at a given time.
    case block(CaptureBlock, completeAt: Int64)
    /// A notice at a given time.
    case notice(CaptureNotice, at: Int64)
    /// A final failure.
    case failure(CaptureError, at: Int64)

    /// When it happens.
    var time: Int64 {
      switch self {
      case .block(_, let time), .notice(_, let time), .failure(_, let time): time
      }
    }
  }

  private(set) var device: CaptureDevice
  private var signal: any SyntheticSignal
  private let blockDuration: Duration
  private let faults: SyntheticFaults
  private let events: [SyntheticFaults.Event]
  private var eventIndex = 0
  private var jitter: NoiseGenerator
  private var sizes: NoiseGenerator

  private var clock: SyntheticClock
  private var channelCount: Int
  /// The next frame.
  private var position = 0
  private var unreliableEnd = 0
  private var lost = (frameCount: 0, cause: CaptureLoss.overrun)
  /// Steps queued behind the one just returned.
  private var waiting: [Step] = []
  /// Samples of a signal whose channels differ from the device's.
  private var unmapped: [Float] = []

  init(
    _ device: CaptureDevice, playing signal: any SyntheticSignal, blockDuration: Duration,
    faults: SyntheticFaults, startTime: Int64
  ) {
    self.device = device
    self.signal = signal
    self.blockDuration = blockDuration
    self.faults = faults
    events = faults.eventsInOrder
    jitter = NoiseGenerator(seed: faults.seed)
    sizes = NoiseGenerator(seed: ~faults.seed)
    clock = SyntheticClock(
      sampleRate: signal.sampleRate, driftPartsPerMillion: faults.driftPartsPerMillion,
      startTime: startTime)
    channelCount = signal.channelCount
  }

  /// What happens next; the samples of a block replace those in `samples`.
  ///
  /// The notice `ended` and a failure are final.
  mutating func next(into samples: inout [Float]) -> Step {
    samples.removeAll(keepingCapacity: true)
    while waiting.isEmpty && eventIndex < events.count && events[eventIndex].frame <= position {
      apply(events[eventIndex].kind)
      eventIndex += 1
    }
    if !waiting.isEmpty { return waiting.removeFirst() }

    let now = time(of: position)
    let count = read(into: &samples, frameCount: blockFrameCount())
    if count == 0 && lost.frameCount == 0 {
      if let failure = signal.failure { return .failure(failure, at: now) }
      return .notice(.ended, at: now)
    }
    var block = CaptureBlock(
      frameCount: count, channelCount: channelCount, sampleRate: clock.sampleRate, time: now,
      isTimeReliable: position >= unreliableEnd, lostFrameCount: lost.frameCount,
      lossCause: lost.cause, layout: channelCount == signal.channelCount ? signal.layout : nil)
    let jitterLimit = Int(faults.jitter.nanoseconds)
    if jitterLimit > 0 {
      block.time += Int64(jitter.integer(in: -jitterLimit...jitterLimit))
    }
    lost = (0, .overrun)
    position += count
    return .block(block, completeAt: time(of: position))
  }

  /// The length of the next block, which ends where something happens.
  private mutating func blockFrameCount() -> Int {
    var count = max(1, blockDuration.sampleCount(at: clock.sampleRate))
    if let range = faults.blockFrameCounts { count = max(1, sizes.integer(in: range)) }
    if eventIndex < events.count { count = min(count, events[eventIndex].frame - position) }
    if position < unreliableEnd { count = min(count, unreliableEnd - position) }
    return count
  }

  private func time(of frame: Int) -> Int64 { clock.time(of: frame) }

  private mutating func apply(_ kind: SyntheticFaults.Kind) {
    let now = time(of: position)
    switch kind {
    case .loss(let frameCount, let cause):
      lost = (lost.frameCount + pass(frameCount), cause)
    case .silentLoss(let frameCount):
      _ = pass(frameCount)
    case .absence(let duration, let replacement):
      waiting.append(.notice(.deviceLost, at: now))
      _ = pass(duration.sampleCount(at: clock.sampleRate))
      waiting.append(.notice(.deviceReturned, at: time(of: position)))
      replace(with: replacement)
    case .exchange(let replacement):
      replace(with: replacement)
    case .formatChange(let sampleRate, let channelCount):
      replace(
        with: SyntheticFaults.Replacement(sampleRate: sampleRate, channelCount: channelCount))
    case .suspension(let duration):
      waiting.append(.notice(.suspended, at: now))
      _ = pass(duration.sampleCount(at: clock.sampleRate))
      waiting.append(.notice(.resumed, at: time(of: position)))
    case .unreliableTimes(let frameCount):
      unreliableEnd = max(unreliableEnd, position + frameCount)
    case .failure(let error):
      waiting.append(.failure(error, at: now))
    }
  }

  /// Skips frames unheard, and returns how many.
  private mutating func pass(_ frameCount: Int) -> Int {
    let passed = signal.skip(frameCount: frameCount)
    position += passed
    return passed
  }

  private mutating func replace(with replacement: SyntheticFaults.Replacement) {
    let sampleRate = max(1, replacement.sampleRate ?? clock.sampleRate)
    clock.change(to: sampleRate, from: position)
    channelCount = max(1, replacement.channelCount ?? channelCount)
    signal.adopt(sampleRate: sampleRate, channelCount: channelCount)
    device.sampleRate = sampleRate
    device.channelCount = channelCount
    if let id = replacement.deviceID {
      device.id = id
      device.name = id
      waiting.append(.notice(.deviceChanged, at: time(of: position)))
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
