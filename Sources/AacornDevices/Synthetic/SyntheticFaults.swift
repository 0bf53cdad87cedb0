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
