/// The current source of the audio: a device and its settings.
struct CoreAudioRoute: Sendable, Equatable {
  /// The device, with its current rate and channels.
  var device: CaptureDevice
  /// How long audio takes from the air to its timestamp, in nanoseconds.
  var latency: Int64 = 0

  /// What to do when the audio route changes.
  enum Reaction: Equatable {
    /// Do nothing: what is open is still right.
    case keep
    /// Create the unit again, for another device or another format.
    case rebuild
    /// There is no device.
    case lose
  }

  /// What to do when the route may have changed to `route`, which is nil for none.
  ///
  /// Many changes concern only the output, and creating a unit is a change itself. So the device
  /// and its format decide; the reason counts only if it says that there is no route.
  func reaction(to route: CoreAudioRoute?, _ reason: CoreAudioRouteReason) -> Reaction {
    guard let route, reason != .noSuitableRoute else { return .lose }
    let isSame =
      route.device.id == device.id && route.device.sampleRate == device.sampleRate
      && route.device.channelCount == device.channelCount
    return isSame ? .keep : .rebuild
  }
}
