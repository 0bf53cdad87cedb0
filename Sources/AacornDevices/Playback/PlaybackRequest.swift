/// Where and how sound should be played.
public struct PlaybackRequest: Sendable, Equatable {
  /// Which device.
  public enum DeviceChoice: Sendable, Equatable {
    /// The system's default device, and the new one when that changes.
    case followingDefault
    /// This device only; while it is away, sound is held back until it returns.
    case pinned(id: String)

    /// The id of the only device that will do; nil follows the default.
    var pinnedID: String? {
      switch self {
      case .followingDefault: nil
      case .pinned(let id): id
      }
    }
  }

  /// Which device.
  public var device: DeviceChoice
  /// How long sound may wait in the system before it is heard.
  ///
  /// A shorter time answers faster and needs a machine that is never late.
  public var latency: Duration
  /// The program's name in the system's mixers.
  public var applicationName: String

  /// Requests the default device, with a latency that suits listening.
  public init(
    device: DeviceChoice = .followingDefault, latency: Duration = .milliseconds(40),
    applicationName: String = "Aacorn"
  ) {
    self.device = device
    self.latency = latency
    self.applicationName = applicationName
  }
}
