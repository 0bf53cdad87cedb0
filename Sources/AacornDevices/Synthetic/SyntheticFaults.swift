import AacornSignal
import AacornSystem

/// A script of the faults of a simulated device.
///
/// Positions are counted in frames of the device from its start, delivered or not. The device's own
/// clock keeps running through every fault: after an absence of a second at 48 kHz the signal has
/// advanced by 48,000 frames. The same script produces the same stream each time.
public struct SyntheticFaults: Sendable, Equatable {
  /// A fault at a position.
  public enum Kind: Sendable, Equatable {
    /// This many frames are lost, and the device reports the loss and its cause.
    case loss(frameCount: Int, cause: CaptureLoss)
    /// This many frames are lost unreported; only the times of the blocks show it.
    case silentLoss(frameCount: Int)
    /// The device is unavailable for a time, and may be replaced by another one.
    case absence(for: Duration, returningAs: Replacement = Replacement())
    /// Another device replaces this one without a pause.
    case exchange(Replacement)
    /// The device changes its rate or channels without reporting it.
    case formatChange(sampleRate: Int? = nil, channelCount: Int? = nil)
    /// The device is suspended for a time.
    case suspension(for: Duration)
    /// The times of this many frames are marked as unreliable.
    case unreliableTimes(frameCount: Int)
    /// The device cannot continue.
    case failure(DeviceError)
  }

  /// The properties of a device after its return; nil leaves a property unchanged.
  public struct Replacement: Sendable, Equatable {
    /// The new device's id, if it is another device.
    public var deviceID: String?
    /// The new device's rate in hertz.
    public var sampleRate: Int?
    /// The new device's channel count.
    public var channelCount: Int?

    /// Creates a replacement; by default, the same device.
    public init(deviceID: String? = nil, sampleRate: Int? = nil, channelCount: Int? = nil) {
      self.deviceID = deviceID
      self.sampleRate = sampleRate
      self.channelCount = channelCount
    }
  }

  /// A fault and its position.
  public struct Event: Sendable, Equatable {
    /// The first frame affected.
    public var frame: Int
    /// The kind of fault.
    public var kind: Kind

    /// Creates a fault at a position.
    public static func at(_ frame: Int, _ kind: Kind) -> Event { Event(frame: frame, kind: kind) }
  }

  /// The faults, in any order; faults at the same position occur in the order given.
  public var events: [Event]
  /// The relative difference between the device's clock and the system's, in millionths; positive
  /// if the device is slower.
  public var driftPartsPerMillion: Double
  /// The largest error of block times, in either direction.
  public var jitter: Duration
  /// The range in which block sizes vary; nil if they do not.
  public var blockFrameCounts: ClosedRange<Int>?
  /// The seed of the random jitter and sizes.
  public var seed: UInt64

  /// Creates a script; by default, of a device without faults.
  public init(
    _ events: [Event] = [], driftPartsPerMillion: Double = 0, jitter: Duration = .zero,
    blockFrameCounts: ClosedRange<Int>? = nil, seed: UInt64 = 1
  ) {
    self.events = events
    self.driftPartsPerMillion = driftPartsPerMillion
    self.jitter = jitter
    self.blockFrameCounts = blockFrameCounts
    self.seed = seed
  }

  /// The faults in order of position; at the same position, in the order of the list.
  var eventsInOrder: [Event] {
    events.enumerated()
      .sorted { ($0.element.frame, $0.offset) < ($1.element.frame, $1.offset) }
      .map(\.element)
  }
}

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

/// The clock of a simulated device.
///
///     time of frame n = epoch time + (n − epoch frame) / rate · (1 + drift)
///
/// The epoch is the start, or the last change of the rate.
struct SyntheticClock {
  /// Frames per second of the device.
  private(set) var sampleRate: Int
  private let driftPartsPerMillion: Double
  private var epochFrame = 0
  private var epochTime: Int64

  /// Creates a clock with frame 0 at `startTime`.
  init(sampleRate: Int, driftPartsPerMillion: Double, startTime: Int64) {
    self.sampleRate = SampleLimits.sampleRate(sampleRate)
    // A drift of a tenth is more than any real clock has.
    self.driftPartsPerMillion =
      driftPartsPerMillion.isNaN ? 0 : min(max(driftPartsPerMillion, -100_000), 100_000)
    epochTime = startTime
  }

  /// Returns the time of a frame.
  func time(of frame: Int) -> Int64 {
    let seconds = Double(frame - epochFrame) / Double(sampleRate)
    let nanoseconds = seconds * (1000 + driftPartsPerMillion / 1000) * 1e6 + 0.5
    // Times more than 146 years away are clamped.
    let (time, isTooFar) = epochTime.addingReportingOverflow(Int64(min(nanoseconds, 0x1p62)))
    return isTooFar ? .max : time
  }

  /// Continues at another rate from a frame on.
  mutating func change(to sampleRate: Int, from frame: Int) {
    epochTime = time(of: frame)
    epochFrame = frame
    self.sampleRate = SampleLimits.sampleRate(sampleRate)
  }

  /// Postpones all later frames.
  mutating func postpone(by nanoseconds: Int64) {
    let (time, isTooFar) = epochTime.addingReportingOverflow(nanoseconds)
    epochTime = isTooFar ? .max : time
  }
}
