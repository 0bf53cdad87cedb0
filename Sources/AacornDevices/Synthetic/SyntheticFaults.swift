/// What goes wrong with a simulated device, and when.
///
/// Places are counted in frames of the device from its start, whether they were delivered or not.
/// The device's own clock goes on through every fault: after an absence of a second at 48 kHz the
/// signal is 48,000 frames further on. The same script gives the same stream each time.
public struct SyntheticFaults: Sendable, Equatable {
  /// What happens at a place.
  public enum Kind: Sendable, Equatable {
    /// So many frames are lost, and the device knows it and why.
    case loss(frameCount: Int, cause: CaptureLoss)
    /// So many frames are lost without a word; only the times of the blocks show it.
    case silentLoss(frameCount: Int)
    /// The device is away for a time, and perhaps another one takes its place.
    case absence(milliseconds: Int, returningAs: Replacement = Replacement())
    /// Another device takes the place of this one without a pause.
    case exchange(Replacement)
    /// The device runs at another rate, or with other channels, without a word.
    case formatChange(sampleRate: Int? = nil, channelCount: Int? = nil)
    /// The device sleeps for a time.
    case suspension(milliseconds: Int)
    /// The times of so many frames are marked as not to be relied on.
    case unreliableTimes(frameCount: Int)
    /// The device cannot go on.
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

    /// A replacement; by default, the same device.
    public init(deviceID: String? = nil, sampleRate: Int? = nil, channelCount: Int? = nil) {
      self.deviceID = deviceID
      self.sampleRate = sampleRate
      self.channelCount = channelCount
    }
  }

  /// A fault and its place.
  public struct Event: Sendable, Equatable {
    /// The first frame that feels it.
    public var frame: Int
    /// What happens.
    public var kind: Kind

    /// A fault at a place.
    public static func at(_ frame: Int, _ kind: Kind) -> Event { Event(frame: frame, kind: kind) }
  }

  /// The faults, in any order; those for one place happen in the order given.
  public var events: [Event]
  /// How much longer a second of the device lasts than one of the clock, in millionths.
  public var driftPartsPerMillion: Double
  /// How far the times of blocks are from the truth, at most, either way.
  public var jitterNanoseconds: Int
  /// Between which numbers of frames the sizes of blocks vary; nil if they do not.
  public var blockFrameCounts: ClosedRange<Int>?
  /// Another number gives other jitter and other sizes.
  public var seed: UInt64

  /// A script; by default, of a device without faults.
  public init(
    _ events: [Event] = [], driftPartsPerMillion: Double = 0, jitterNanoseconds: Int = 0,
    blockFrameCounts: ClosedRange<Int>? = nil, seed: UInt64 = 1
  ) {
    self.events = events
    self.driftPartsPerMillion = driftPartsPerMillion
    self.jitterNanoseconds = jitterNanoseconds
    self.blockFrameCounts = blockFrameCounts
    self.seed = seed
  }
}
