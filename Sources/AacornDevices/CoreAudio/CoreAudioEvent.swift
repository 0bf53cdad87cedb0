import AacornSignal

/// An event for the controlling thread of a source or target.
enum CoreAudioEvent: Sendable, Equatable {
  /// The program stops the source or target.
  case stop
  /// The user has granted or denied access to the microphone.
  case permission(isGranted: Bool)
  /// Another app or a call takes over the audio.
  case interrupted(CoreAudioInterruption)
  /// The interruption has ended.
  case interruptionEnded(shouldResume: Bool)
  /// Devices were connected, disconnected or changed.
  case routeChanged(CoreAudioRouteReason)
  /// The system's audio service has stopped; everything created from it is invalid.
  case servicesLost
  /// The service is available again; everything must be created again.
  case servicesReset
  /// The program requests the device again, whatever made it unavailable.
  case resume
  /// The user has activated the app.
  case appActive
}

/// The ways in which an interruption can end.
enum CoreAudioInterruption: Sendable, Equatable {
  /// The system will report the end, as for a phone call.
  case untilEnded
  /// The system will report the end, with or without a request to resume.
  ///
  /// For example, a cover was closed over the microphone, or the app's scene was left.
  case untilBack
  /// The system reports the interruption only after its end, and does not report the end: the app
  /// was suspended.
  case endedWhileSuspended
  /// The device was disconnected; its return is reported separately.
  case deviceGone

  /// Interprets an `AVAudioSession.InterruptionReason`.
  init(reason: UInt?) {
    self =
      switch reason.flatMap({ CoreAudioInterruptionReason(rawValue: $0) }) {
      case .appWasSuspended: .endedWhileSuspended
      case .builtInMicMuted, .sceneWasBackgrounded: .untilBack
      case .routeDisconnected: .deviceGone
      case .default, nil: .untilEnded
      }
  }
}

/// The reason for an interruption, with the numbers of `AVAudioSession.InterruptionReason`.
enum CoreAudioInterruptionReason: UInt, Sendable {
  case `default` = 0
  /// Reported only by systems before iOS 16.
  case appWasSuspended = 1
  /// The cover of a tablet is closed.
  case builtInMicMuted = 2
  /// On visionOS.
  case sceneWasBackgrounded = 3
  case routeDisconnected = 4
}

extension CoreAudioEvent {
  /// Creates an event from the numbers in an `AVAudioSession` notification; nil if they are
  /// unknown.
  ///
  /// Type 1 is the beginning and type 0 the end. Option 1 of an end requests to resume. An end
  /// without this option leaves the device closed, because the user may have decided so. The
  /// exception is an interruption that the user cannot decide on, such as
  /// `CoreAudioInterruption.untilBack`.
  init?(interruptionType type: UInt?, reason: UInt?, options: UInt?) {
    switch type {
    case 1: self = .interrupted(CoreAudioInterruption(reason: reason))
    case 0: self = .interruptionEnded(shouldResume: (options ?? 0) & 1 != 0)
    default: return nil
    }
  }
}

/// The reason for a change of the route, with the numbers of `AVAudioSession.RouteChangeReason`.
public enum CoreAudioRouteReason: UInt, Sendable, Equatable {
  /// The system gives no reason.
  case unknown = 0
  /// A device was connected.
  case newDevice = 1
  /// The device in use was disconnected.
  case oldDeviceGone = 2
  /// The category of the audio session has changed.
  case category = 3
  /// An app or the user has chosen another device.
  case override = 4
  /// The device woke from sleep.
  case wakeFromSleep = 6
  /// The category has no route.
  case noSuitableRoute = 7
  /// The settings of the same devices have changed.
  case configuration = 8
}

extension CoreAudioRouteReason {
  /// Whether a missing device may have become available.
  ///
  /// The reasons that an activation of the session itself causes are not included. Otherwise a
  /// failed retry would trigger the next one immediately, in an endless loop.
  var mayBringDevice: Bool {
    switch self {
    case .unknown, .newDevice, .oldDeviceGone, .wakeFromSleep, .configuration: true
    case .category, .override, .noSuitableRoute: false
    }
  }
}

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
