/// What a source's controlling thread must react to.
enum CoreAudioEvent: Sendable, Equatable {
  /// The program wants no more samples.
  case stop
  /// The user has answered whether the microphone may be used.
  case permission(isGranted: Bool)
  /// Something else takes over the audio.
  case interrupted(CoreAudioInterruption)
  /// The interruption is over.
  case interruptionEnded(shouldResume: Bool)
  /// Devices came or went, or changed.
  case routeChanged(CoreAudioRouteReason)
  /// The system's audio service is gone, with everything created from it.
  case servicesLost
  /// The service is back; everything must be created again.
  case servicesReset
  /// The program asks for its device, whatever kept it away.
  case resume
  /// A person has turned to the app.
  case appActive
}

/// How an interruption can end.
enum CoreAudioInterruption: Sendable, Equatable {
  /// Its end will be reported, as for a phone call.
  case untilEnded
  /// Its end will be reported, and is the end whatever the system says of going on: a cover was closed
  /// over the microphone, or the app's scene was left.
  case untilBack
  /// It is reported only when it is over, and its end is not: the app was asleep.
  case untilNow
  /// The device went away, and its return is reported separately.
  case deviceGone

  /// Interprets an `AVAudioSession.InterruptionReason`.
  init(reason: UInt?) {
    self =
      switch reason.flatMap({ CoreAudioInterruptionReason(rawValue: $0) }) {
      case .appWasSuspended: .untilNow
      case .builtInMicMuted, .sceneWasBackgrounded: .untilBack
      case .routeDisconnected: .deviceGone
      case .default, nil: .untilEnded
      }
  }
}

/// Why something else takes over the audio, with the numbers of `AVAudioSession.InterruptionReason`.
enum CoreAudioInterruptionReason: UInt, Sendable {
  case `default` = 0
  /// Told only by systems before iOS 16.
  case appWasSuspended = 1
  /// The cover of a tablet is closed.
  case builtInMicMuted = 2
  /// On visionOS.
  case sceneWasBackgrounded = 3
  case routeDisconnected = 4
}

extension CoreAudioEvent {
  /// Creates an event from the numbers in an `AVAudioSession` notification; nil if they mean none.
  ///
  /// Type 1 is the beginning and type 0 the end; option 1 of an end says that one should resume. An
  /// end without it leaves the microphone off, because the user may have wanted that, unless the
  /// interruption was such that nobody can have.
  init?(interruptionType type: UInt?, reason: UInt?, options: UInt?) {
    switch type {
    case 1: self = .interrupted(CoreAudioInterruption(reason: reason))
    case 0: self = .interruptionEnded(shouldResume: (options ?? 0) & 1 != 0)
    default: return nil
    }
  }
}

/// The reason for a change of the audio route, with the numbers of `AVAudioSession.RouteChangeReason`.
public enum CoreAudioRouteReason: UInt, Sendable, Equatable {
  /// The system does not say.
  case unknown = 0
  /// A device was connected.
  case newDevice = 1
  /// The device in use was disconnected.
  case oldDeviceGone = 2
  /// The audio session has another category.
  case category = 3
  /// An app or the user has chosen another device.
  case override = 4
  /// The device woke from sleep.
  case wakeFromSleep = 6
  /// The category has no route.
  case noSuitableRoute = 7
  /// The same devices have other settings.
  case configuration = 8
}

extension CoreAudioRouteReason {
  /// Whether a device may have come that was away.
  ///
  /// Those that an activation of the session causes itself are not among them: otherwise a look
  /// that is in vain would bring about the next one at once, for ever.
  var mayBringDevice: Bool {
    switch self {
    case .unknown, .newDevice, .oldDeviceGone, .wakeFromSleep, .configuration: true
    case .category, .override, .noSuitableRoute: false
    }
  }
}
