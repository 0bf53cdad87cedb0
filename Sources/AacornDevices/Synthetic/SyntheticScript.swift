import AacornSystem

/// How far a simulated device has come in its script of faults, and when that is.
struct SyntheticScript {
  private let faults: SyntheticFaults
  private let events: [SyntheticFaults.Event]
  private let blockDuration: Duration
  private var eventIndex = 0
  private var jitter: NoiseGenerator
  private var sizes: NoiseGenerator
  private var unreliableEnd = 0

  /// The device's clock.
  var clock: SyntheticClock
  /// The next frame.
  var position = 0

  /// The beginning of a script for a device of this rate, whose frame 0 is at `startTime`.
  init(
    _ faults: SyntheticFaults, sampleRate: Int, blockDuration: Duration, startTime: Int64
  ) {
    self.faults = faults
    events = faults.eventsInOrder
    self.blockDuration = blockDuration
    jitter = NoiseGenerator(seed: faults.seed)
    sizes = NoiseGenerator(seed: ~faults.seed)
    clock = SyntheticClock(
      sampleRate: sampleRate, driftPartsPerMillion: faults.driftPartsPerMillion,
      startTime: startTime)
  }

  /// The most frames of a block.
  private static let longestBlock = 1 << 20
  /// The most frames for which something lasts: two centuries at 768 kHz.
  private static let longestPassage = Int(clamping: Int64(1) << 52)

  /// Goes on by this many frames.
  mutating func pass(_ frameCount: Int) {
    position = min(position + min(max(0, frameCount), Self.longestPassage), Self.longestPassage)
  }

  /// When the next frame is.
  var now: Int64 { clock.time(of: position) }

  /// When the frame is that comes so many frames after the next one.
  func time(after frameCount: Int) -> Int64 { clock.time(of: position + frameCount) }

  /// Whether what the device tells of the next frame's time is reliable.
  var isReliable: Bool { position >= unreliableEnd }

  /// Makes the times of the next frames unreliable.
  mutating func mistrust(frameCount: Int) {
    let count = min(max(0, frameCount), Self.longestPassage)
    unreliableEnd = max(unreliableEnd, position + count)
  }

  /// The next fault, if it is due.
  mutating func takeFault() -> SyntheticFaults.Kind? {
    guard eventIndex < events.count, events[eventIndex].frame <= position else { return nil }
    defer { eventIndex += 1 }
    return events[eventIndex].kind
  }

  /// The length of the next block, which ends where something happens.
  mutating func blockFrameCount() -> Int {
    var count = max(1, frameCount(of: blockDuration))
    if let range = faults.blockFrameCounts {
      let allowed = 1...Self.longestBlock
      count = sizes.integer(in: range.clamped(to: allowed))
    }
    count = min(count, Self.longestBlock)
    if eventIndex < events.count { count = min(count, events[eventIndex].frame - position) }
    if position < unreliableEnd { count = min(count, unreliableEnd - position) }
    return count
  }

  /// How far the time that is told of the next block is off.
  mutating func timeError() -> Int64 {
    let limit = Int(faults.jitter.nanoseconds)
    return limit > 0 ? Int64(jitter.integer(in: -limit...limit)) : 0
  }

  /// How many frames the device has in a time.
  func frameCount(of time: Duration) -> Int {
    min(time.sampleCount(at: clock.sampleRate), Self.longestPassage)
  }
}
