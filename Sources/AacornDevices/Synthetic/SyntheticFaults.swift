/// What goes wrong with a simulated device, and when.
///
/// Positions are counted in frames of the device from its start, delivered or not. The device's own
/// clock keeps running through every fault: after an absence of a second at 48 kHz the signal is
/// 48,000 frames further on. The same script gives the same stream each time.
public struct SyntheticFaults: Sendable, Equatable {
  /// What happens at a position.
  public enum Kind: Sendable, Equatable {
    /// This many frames are lost, and the device knows it and why.
    case loss(frameCount: Int, cause: CaptureLoss)
    /// This many frames are lost unreported; only the times of the blocks show it.
    case silentLoss(frameCount: Int)
    /// The device is away for a time, and perhaps another one replaces it.
    case absence(for: Duration, returningAs: Replacement = Replacement())
    /// Another device replaces this one without a pause.
    case exchange(Replacement)
    /// The device changes its rate or channels without reporting it.
    case formatChange(sampleRate: Int? = nil, channelCount: Int? = nil)
    /// The device sleeps for a time.
    case suspension(for: Duration)
    /// The times of this many frames are marked as unreliable.
    case unreliableTimes(frameCount: Int)
    /// The device cannot continue.
    case failure(CaptureError)
  }

  /// What a device comes back as; nil means as before.
  public struct Replacement: Sendable, Equatable {
    /// The new device's id, if it is another device.
    public var deviceID: String?
    /// Its rate.
    public var sampleRate: Int?
    /// Its channels.
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
    /// What happens.
    public var kind: Kind

    /// Creates a fault at a position.
    public static func at(_ frame: Int, _ kind: Kind) -> Event { Event(frame: frame, kind: kind) }
  }

  /// The faults, in any order; those at the same position happen in the order given.
  public var events: [Event]
  /// How much longer the device's second is than the clock's, in millionths.
  public var driftPartsPerMillion: Double
  /// The largest error of block times, in either direction.
  public var jitter: Duration
  /// The range in which block sizes vary; nil if they do not.
  public var blockFrameCounts: ClosedRange<Int>?
  /// Selects the random jitter and sizes.
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

  /// The faults as they happen; at the same position their places in the list decide.
  var eventsInOrder: [Event] {
    events.enumerated()
      .sorted { ($0.element.frame, $0.offset) < ($1.element.frame, $1.offset) }
      .map(\.element)
  }
}
