import AacornSignal

/// Where the audio comes from or goes to now: a device and its settings.
struct CoreAudioRoute<Device: CoreAudioEndpoint>: Sendable, Equatable {
  /// The device, with its current rate and channels.
  var device: Device
  /// How long audio takes between the air and its timestamp, in nanoseconds.
  var latency: Int64 = 0
  /// How long before its timestamp a block is asked for, in nanoseconds; 0 in a capture.
  var lead: Int64 = 0
  /// What the device's channels are for, if that is known.
  var layout: ChannelLayout?
  /// Which of many channels stereo sound goes to, if that is known.
  var stereoPair: [Int]?

  /// The number of the device whose sound voice processing removes; nil without it.
  var outputNumber: UInt32?

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
  /// Many changes concern only the other direction, and creating a unit is a change itself. So the
  /// device and its format decide; the reason counts only if it says that there is no route.
  func reaction(to route: Self?, _ reason: CoreAudioRouteReason) -> Reaction {
    guard let route, reason != .noSuitableRoute else { return .lose }
    let isSame =
      route.device.id == device.id && route.device.sampleRate == device.sampleRate
      && route.device.channelCount == device.channelCount && route.layout == layout
      && route.stereoPair == stereoPair && route.outputNumber == outputNumber
    return isSame ? .keep : .rebuild
  }
}
