/// Where sound comes from at a moment: a device and how it runs.
struct CoreAudioRoute: Sendable, Equatable {
  /// The device, with its present rate and channels.
  var device: CaptureDevice
  /// How long sound takes to get from the air to where it is stamped, in nanoseconds.
  var latency: Int64 = 0

  /// What has to happen when the way of the sound changes.
  enum Reaction: Equatable {
    /// Nothing: what is open is still right.
    case keep
    /// The unit has to be made anew, for another device or another format.
    case rebuild
    /// There is no device.
    case lose
  }

  /// What has to happen when the route may have changed to `route`, nil being none.
  ///
  /// Many changes concern only where sound goes to, and making a unit is one itself. So the device
  /// and its format decide, and the reason only if it says that there is none.
  func reaction(to route: CoreAudioRoute?, _ reason: CoreAudioRouteReason) -> Reaction {
    guard let route, reason != .noSuitableRoute else { return .lose }
    let isSame =
      route.device.id == device.id && route.device.sampleRate == device.sampleRate
      && route.device.channelCount == device.channelCount
    return isSame ? .keep : .rebuild
  }
}
