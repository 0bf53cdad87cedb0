/// The requested properties of a playback.
public struct PlaybackRequest: Sendable, Equatable {
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
