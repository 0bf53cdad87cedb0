import AacornSystem

/// A simulated output: a clock and a script of faults.
///
/// It has no thread, no time of its own and no samples; each call of `next` says what happens next
/// and when.
struct SyntheticOutput {
  /// What happens next.
  enum Step: Equatable {
    /// Frames are taken at a time; `notedTime` is what the device tells of it, if it does.
    case block(frameCount: Int, at: Int64, notedTime: Int64?)
    /// The device gets nothing for so many frames, and perhaps tells so.
    case silence(frameCount: Int, at: Int64, isCounted: Bool)
    /// A notice at a given time.
    case notice(PlaybackNotice, at: Int64)
    /// A final failure.
    case failure(PlaybackError, at: Int64)

    /// When it happens.
    var time: Int64 {
      switch self {
      case .block(_, let time, _), .silence(_, let time, _), .notice(_, let time),
        .failure(_, let time):
        time
      }
    }
  }

  private(set) var device: PlaybackDevice
  private let blockDuration: Duration
  private let faults: SyntheticFaults
  private let events: [SyntheticFaults.Event]
  private var eventIndex = 0
  private var clock: SyntheticClock
  private var jitter: NoiseGenerator
  private var sizes: NoiseGenerator
  /// The next frame.
  private var position = 0
  private var unreliableEnd = 0
  /// Steps queued behind the one just returned.
  private var waiting: [Step] = []

  /// An output that takes frames of this rate from `startTime` on.
  init(
    _ device: PlaybackDevice, sampleRate: Int, blockDuration: Duration, faults: SyntheticFaults,
    startTime: Int64
  ) {
    self.device = device
    self.blockDuration = blockDuration
    self.faults = faults
    events = faults.eventsInOrder
    clock = SyntheticClock(
      sampleRate: sampleRate, driftPartsPerMillion: faults.driftPartsPerMillion,
      startTime: startTime)
    jitter = NoiseGenerator(seed: faults.seed)
    sizes = NoiseGenerator(seed: ~faults.seed)
  }

  /// What happens next; a failure is final.
  mutating func next() -> Step {
    while waiting.isEmpty && eventIndex < events.count && events[eventIndex].frame <= position {
      apply(events[eventIndex].kind)
      eventIndex += 1
    }
    if !waiting.isEmpty { return waiting.removeFirst() }
    let now = clock.time(of: position)
    let isReliable = position >= unreliableEnd
    let count = blockFrameCount()
    position += count
    return .block(
      frameCount: count, at: now, notedTime: isReliable ? now + timeError() : nil)
  }

  /// Puts off everything to come, as when the program was stopped for a while.
  mutating func postpone(by nanoseconds: Int64) { clock.postpone(by: nanoseconds) }

  /// The length of the next block, which ends where something happens.
  private mutating func blockFrameCount() -> Int {
    var count = max(1, blockDuration.sampleCount(at: clock.sampleRate))
    if let range = faults.blockFrameCounts { count = max(1, sizes.integer(in: range)) }
    if eventIndex < events.count { count = min(count, events[eventIndex].frame - position) }
    if position < unreliableEnd { count = min(count, unreliableEnd - position) }
    return count
  }

  private mutating func timeError() -> Int64 {
    let limit = Int(faults.jitter.nanoseconds)
    return limit > 0 ? Int64(jitter.integer(in: -limit...limit)) : 0
  }

  private mutating func apply(_ kind: SyntheticFaults.Kind) {
    let now = clock.time(of: position)
    switch kind {
    case .loss(let frameCount, _):
      waiting.append(.silence(frameCount: frameCount, at: now, isCounted: true))
      position += frameCount
    case .silentLoss(let frameCount):
      waiting.append(.silence(frameCount: frameCount, at: now, isCounted: false))
      position += frameCount
    case .absence(let duration, let replacement):
      waiting.append(.notice(.deviceLost, at: now))
      position += duration.sampleCount(at: clock.sampleRate)
      waiting.append(.notice(.deviceReturned, at: clock.time(of: position)))
      replace(with: replacement)
    case .exchange(let replacement):
      replace(with: replacement)
    case .formatChange(let sampleRate, let channelCount):
      replace(
        with: SyntheticFaults.Replacement(sampleRate: sampleRate, channelCount: channelCount))
    case .suspension(let duration):
      waiting.append(.notice(.suspended, at: now))
      position += duration.sampleCount(at: clock.sampleRate)
      waiting.append(.notice(.resumed, at: clock.time(of: position)))
    case .unreliableTimes(let frameCount):
      unreliableEnd = max(unreliableEnd, position + frameCount)
    case .failure(let error):
      waiting.append(.failure(PlaybackError(error), at: now))
    }
  }

  /// What is played keeps its rate and channels, as a sound system converts them.
  private mutating func replace(with replacement: SyntheticFaults.Replacement) {
    if let rate = replacement.sampleRate { device.sampleRate = max(1, rate) }
    if let count = replacement.channelCount { device.channelCount = max(1, count) }
    if let id = replacement.deviceID {
      device.id = id
      device.name = id
      waiting.append(.notice(.deviceChanged, at: clock.time(of: position)))
    }
  }
}
