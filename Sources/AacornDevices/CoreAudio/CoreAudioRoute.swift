import AacornSignal

/// The current source or destination of the audio: a device and its settings.
struct CoreAudioRoute: Sendable, Equatable {
  /// The device, with its current rate and channels.
  var device: Device
  /// The time between a block's timestamp and its sound, in nanoseconds.
  var latency: Int64 = 0
  /// The time from the request for a block to its timestamp, in nanoseconds; 0 in a capture.
  var lead: Int64 = 0
  /// The channel layout of the device, if known.
  var layout: ChannelLayout?
  /// The indices of the device's stereo channels, if known.
  var stereoPair: [Int]?

  /// The number of the device from which voice processing removes echo; nil without voice
  /// processing.
  var outputNumber: UInt32?

  /// The reaction to a change of the audio route.
  enum Reaction: Equatable {
    /// Do nothing: the open unit still matches.
    case keep
    /// Create the unit again, for another device or another format.
    case rebuild
    /// Treat the device as lost: no device is available.
    case lose
  }

  /// Returns the reaction to a possible change of the route to `route`; nil means no route.
  ///
  /// Many changes concern only the other direction, and creating a unit is a change itself. So only
  /// the device and its format decide. The reason counts only if it means that there is no route.
  func reaction(to route: Self?, _ reason: CoreAudioRouteReason) -> Reaction {
    guard let route, reason != .noSuitableRoute else { return .lose }
    let isSame =
      route.device.id == device.id && route.device.sampleRate == device.sampleRate
      && route.device.channelCount == device.channelCount && route.layout == layout
      && route.stereoPair == stereoPair && route.outputNumber == outputNumber
    return isSame ? .keep : .rebuild
  }
}
