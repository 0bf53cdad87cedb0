/// What a source is asked for.
public struct CaptureRequest: Sendable, Equatable {
  /// Which device.
  public enum DeviceChoice: Sendable, Equatable {
    /// What the system takes for the default, and the new one when that changes.
    case followingDefault
    /// This device and no other; while it is away the source waits for it.
    case pinned(id: String)
  }

  /// Which device.
  public var device: DeviceChoice
  /// Frames a second; nil takes the device's own.
  ///
  /// A source may deliver another rate, which its blocks tell.
  public var sampleRate: Int?
  /// Channels; nil takes the device's own, and so does a need for certain ones.
  public var channelCount: Int?
  /// How long a block should last, in milliseconds.
  public var blockMilliseconds: Int
  /// Whether echo and noise must be taken out by the system.
  public var isVoiceProcessed: Bool
  /// How the program is called in the system's mixers.
  public var applicationName: String

  /// A request for the default device as it is, in blocks of 10 ms.
  public init(
    device: DeviceChoice = .followingDefault, sampleRate: Int? = nil, channelCount: Int? = nil,
    blockMilliseconds: Int = 10, isVoiceProcessed: Bool = false, applicationName: String = "Aacorn"
  ) {
    self.device = device
    self.sampleRate = sampleRate
    self.channelCount = channelCount
    self.blockMilliseconds = blockMilliseconds
    self.isVoiceProcessed = isVoiceProcessed
    self.applicationName = applicationName
  }
}
