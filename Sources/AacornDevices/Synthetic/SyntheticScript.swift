import AacornSystem

/// The current position and time in the script of faults of a simulated device.
struct SyntheticScript {
  private let faults: SyntheticFaults
  private let events: [SyntheticFaults.Event]
  private let blockDuration: Duration
  private var eventIndex = 0
  private var jitter: SplitMix64
  private var sizes: SplitMix64
  private var unreliableEnd = 0

  /// The device's clock.
  var clock: SyntheticClock
  /// The position of the next frame.
  var position = 0

  /// Creates the beginning of a script for a device of this rate, with frame 0 at `startTime`.
  init(
    _ faults: SyntheticFaults, sampleRate: Int, blockDuration: Duration, startTime: Int64
  ) {
    self.faults = faults
    events = faults.eventsInOrder
    self.blockDuration = blockDuration
    jitter = SplitMix64(seed: faults.seed)
    sizes = SplitMix64(seed: ~faults.seed)
    clock = SyntheticClock(
      sampleRate: sampleRate, driftPartsPerMillion: faults.driftPartsPerMillion,
      startTime: startTime)
  }

  /// The maximum number of frames of a block.
  private static let maxBlockFrameCount = 1 << 20
  /// The maximum number of frames of any step: two centuries at 768 kHz.
  private static let maxStepFrameCount = Int(clamping: Int64(1) << 52)

  /// Advances by this many frames.
  mutating func pass(_ frameCount: Int) {
    position = min(
      position + min(max(0, frameCount), Self.maxStepFrameCount), Self.maxStepFrameCount)
  }

  /// The time of the next frame.
  var now: Int64 { clock.time(of: position) }

  /// Returns the time of the frame `frameCount` frames after the next one.
  func time(after frameCount: Int) -> Int64 { clock.time(of: position + frameCount) }

  /// Whether the device's reported time of the next frame is reliable.
  var isReliable: Bool { position >= unreliableEnd }

  /// Marks the times of the next frames as unreliable.
  mutating func markUnreliable(frameCount: Int) {
    let count = min(max(0, frameCount), Self.maxStepFrameCount)
    unreliableEnd = max(unreliableEnd, position + count)
  }

  /// Returns and removes the next fault, if it is due.
  mutating func takeFault() -> SyntheticFaults.Kind? {
    guard eventIndex < events.count, events[eventIndex].frame <= position else { return nil }
    defer { eventIndex += 1 }
    return events[eventIndex].kind
  }

  /// Returns the length of the next block, which ends at the next event.
  mutating func blockFrameCount() -> Int {
    var count = max(1, frameCount(of: blockDuration))
    if let range = faults.blockFrameCounts {
      let allowed = 1...Self.maxBlockFrameCount
      count = sizes.integer(in: range.clamped(to: allowed))
    }
    count = min(count, Self.maxBlockFrameCount)
    if eventIndex < events.count { count = min(count, events[eventIndex].frame - position) }
    if position < unreliableEnd { count = min(count, unreliableEnd - position) }
    return count
  }

  /// Returns the error of the reported time of the next block, in nanoseconds.
  mutating func timeError() -> Int64 {
    let limit = Int(faults.jitter.nanoseconds)
    return limit > 0 ? Int64(jitter.integer(in: -limit...limit)) : 0
  }

  /// Returns the number of the device's frames in a duration.
  func frameCount(of time: Duration) -> Int {
    min(time.sampleCount(at: clock.sampleRate), Self.maxStepFrameCount)
  }
}
