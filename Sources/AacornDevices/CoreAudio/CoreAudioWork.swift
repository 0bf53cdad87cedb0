/// The task of a ``CoreAudioControl``: the capture from a device, or the playback on a device.
///
/// All members are called on the controlling thread only.
protocol CoreAudioWork: AnyObject {
  /// Whether the device may be used; nil if the user has not been prompted.
  var isPermitted: Bool? { get }

  /// The duration after which an interruption is a failure; nil means no limit.
  var maxInterruptionDuration: Duration? { get }

  /// Prompts the user; calls `answer` on any thread, perhaps minutes later.
  func requestPermission(_ answer: @escaping @Sendable (Bool) -> Void)

  /// Posts every event that concerns the device to `post`, until the result's `end` is called.
  func observe(_ post: @escaping @Sendable (CoreAudioEvent) -> Void) -> any CoreAudioObservation

  /// Prepares the system, again after every interruption.
  ///
  /// The returned diagnostics list rejected settings that are not essential.
  func activate() throws(DeviceError) -> [String]

  /// Undoes `activate`.
  func deactivate()

  /// Returns the current audio route.
  func route() throws(DeviceError) -> CoreAudioRoute

  /// Opens a unit without starting it; the events are sent before its first samples.
  ///
  /// `neededFrameCount` is the length of the longest block that did not fit.
  func open(
    _ route: CoreAudioRoute, neededFrameCount: Int, announcing events: [DeviceEvent]
  ) throws(DeviceError) -> any CoreAudioStream

  /// Sends the program an event while no unit is open.
  func report(_ event: DeviceEvent)
}
