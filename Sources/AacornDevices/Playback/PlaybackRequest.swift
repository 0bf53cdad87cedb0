/// The requested properties of a playback.
public struct PlaybackRequest: Sendable, Equatable {
  /// The choice of a device.
  public enum DeviceChoice: Sendable, Equatable {
    /// The system's default device, and the new one when the default changes.
    case followingDefault
    /// This device only; while it is unavailable, the target holds audio back until it returns.
    case pinned(id: String)

    /// The id of the required device; nil follows the default.
    var pinnedID: String? {
      switch self {
      case .followingDefault: nil
      case .pinned(let id): id
      }
    }
  }

  /// The choice of the device.
  public var device: DeviceChoice
  /// The time that audio may wait in the system before it is played.
  ///
  /// A shorter time responds faster, but requires a program that is never late.
  public var latency: Duration
  /// The program's name in the system's mixers.
  public var applicationName: String

  /// Creates a request, by default for the default device with a latency of 40 ms, which suits
  /// listening.
  public init(
    device: DeviceChoice = .followingDefault, latency: Duration = .milliseconds(40),
    applicationName: String = "Aacorn"
  ) {
    self.device = device
    self.latency = latency
    self.applicationName = applicationName
  }
}
