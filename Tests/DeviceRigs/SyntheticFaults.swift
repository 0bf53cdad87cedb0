package import AacornDevices
import AacornSignal
import AacornSystem

/// A script of the faults of a simulated device.
///
/// Positions are counted in frames of the device from its start, delivered or not. The device's own
/// clock keeps running through every fault: after an absence of a second at 48 kHz the signal has
/// advanced by 48,000 frames. The same script produces the same stream each time.
package struct SyntheticFaults: Sendable, Equatable {
  /// A fault at a position.
  package enum Kind: Sendable, Equatable {
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
  package struct Replacement: Sendable, Equatable {
    /// The new device's id, if it is another device.
    package var deviceID: String?
    /// The new device's rate in hertz.
    package var sampleRate: Int?
    /// The new device's channel count.
    package var channelCount: Int?

    /// Creates a replacement; by default, the same device.
    package init(deviceID: String? = nil, sampleRate: Int? = nil, channelCount: Int? = nil) {
      self.deviceID = deviceID
      self.sampleRate = sampleRate
      self.channelCount = channelCount
    }
  }

  /// A fault and its position.
  package struct Event: Sendable, Equatable {
    /// The first frame affected.
    package var frame: Int
    /// The kind of fault.
    package var kind: Kind

    /// Creates a fault at a position.
    package static func at(_ frame: Int, _ kind: Kind) -> Event { Event(frame: frame, kind: kind) }
  }

  /// The faults, in any order; faults at the same position occur in the order given.
  package var events: [Event]
  /// The relative difference between the device's clock and the system's, in millionths; positive
  /// if the device is slower.
  package var driftPartsPerMillion: Double
  /// The largest error of block times, in either direction.
  package var jitter: Duration
  /// The range in which block sizes vary; nil if they do not.
  package var blockFrameCounts: ClosedRange<Int>?
  /// The seed of the random jitter and sizes.
  package var seed: UInt64

  /// Creates a script; by default, of a device without faults.
  package init(
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
struct FaultScript {
  private let faults: SyntheticFaults
  private let events: [SyntheticFaults.Event]
  private var eventIndex = 0
  private var jitter: SplitMix64
  private var sizes: SplitMix64
  private var unreliableEnd = 0

  /// The device's clock.
  var clock: DriftingClock
  /// The position of the next frame.
  var position = 0

  /// Creates the beginning of a script for a device of this rate, with frame 0 at `startTime`.
  init(_ faults: SyntheticFaults, sampleRate: Int, startTime: Int64) {
    self.faults = faults
    events = faults.eventsInOrder
    jitter = SplitMix64(seed: faults.seed)
    sizes = SplitMix64(seed: ~faults.seed)
    clock = DriftingClock(
      sampleRate: sampleRate, driftPartsPerMillion: faults.driftPartsPerMillion,
      startTime: startTime)
  }

  /// The time of the next frame.
  var now: Int64 { clock.time(of: position) }

  /// Returns the time of the frame `frameCount` frames after the next one.
  func time(after frameCount: Int) -> Int64 { clock.time(of: position + frameCount) }

  /// Whether the device's reported time of the next frame is reliable.
  var isReliable: Bool { position >= unreliableEnd }

  /// Marks the times of the next frames as unreliable.
  mutating func markUnreliable(frameCount: Int) {
    unreliableEnd = max(unreliableEnd, position + frameCount)
  }

  /// Returns and removes the next fault, if it is due.
  mutating func takeFault() -> SyntheticFaults.Kind? {
    guard eventIndex < events.count, events[eventIndex].frame <= position else { return nil }
    defer { eventIndex += 1 }
    return events[eventIndex].kind
  }

  /// Returns the length of the next block, which ends at the next event.
  mutating func blockFrameCount() -> Int {
    var count = max(1, frameCount(of: .milliseconds(10)))
    if let range = faults.blockFrameCounts { count = sizes.integer(in: range) }
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
    time.sampleCount(at: clock.sampleRate)
  }
}

/// The clock of a simulated device.
///
///     time of frame n = epoch time + (n − epoch frame) / rate · (1 + drift)
///
/// The epoch is the start, or the last change of the rate.
struct DriftingClock {
  /// Frames per second of the device.
  private(set) var sampleRate: Int
  private let driftPartsPerMillion: Double
  private var epochFrame = 0
  private var epochTime: Int64

  /// Creates a clock with frame 0 at `startTime`.
  init(sampleRate: Int, driftPartsPerMillion: Double, startTime: Int64) {
    self.sampleRate = sampleRate
    self.driftPartsPerMillion = driftPartsPerMillion
    epochTime = startTime
  }

  /// Returns the time of a frame.
  func time(of frame: Int) -> Int64 {
    let seconds = Double(frame - epochFrame) / Double(sampleRate)
    return epochTime + Int64(seconds * (1000 + driftPartsPerMillion / 1000) * 1e6 + 0.5)
  }

  /// Continues at another rate from a frame on.
  mutating func change(to sampleRate: Int, from frame: Int) {
    epochTime = time(of: frame)
    epochFrame = frame
    self.sampleRate = sampleRate
  }
}
