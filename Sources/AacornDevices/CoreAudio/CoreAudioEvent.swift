/// What the controlling thread of a source has to react to.
enum CoreAudioEvent: Sendable, Equatable {
  /// The program wants no more samples.
  case stop
  /// The person has answered whether the microphone may be used.
  case permission(isGranted: Bool)
  /// Something else takes the sound.
  case interrupted(CoreAudioInterruption)
  /// The interruption is over.
  case interruptionEnded(shouldResume: Bool)
  /// Devices came or went, or changed.
  case routeChanged(CoreAudioRouteReason)
  /// The system's sound service is gone, with all that was made of it.
  case servicesLost
  /// The service is back; everything must be made anew.
  case servicesReset
}

/// How an interruption can end.
enum CoreAudioInterruption: Sendable, Equatable {
  /// Its end is told, such as that of a phone call.
  case untilEnded
  /// It is told late, when it is over, and its end is not told: the app was asleep.
  case untilNow
  /// The device went away, and its return is told otherwise.
  case deviceGone

  /// What an `AVAudioSession.InterruptionReason` means.
  init(reason: UInt?) {
    self =
      switch reason {
      case 1: .untilNow
      case 4: .deviceGone
      default: .untilEnded
      }
  }
}

extension CoreAudioEvent {
  /// The event that the numbers in a notification of `AVAudioSession` stand for; nil if it is none.
  ///
  /// Type 1 is the beginning and type 0 the end; option 1 of an end says that one should resume.
  /// An end without it leaves the microphone off, because a person may have wanted that.
  init?(interruptionType type: UInt?, reason: UInt?, options: UInt?) {
    switch type {
    case 1: self = .interrupted(CoreAudioInterruption(reason: reason))
    case 0: self = .interruptionEnded(shouldResume: (options ?? 0) & 1 != 0)
    default: return nil
    }
  }
}

/// Why sound takes another way, with the numbers of `AVAudioSession.RouteChangeReason`.
enum CoreAudioRouteReason: UInt, Sendable, Equatable {
  case unknown = 0
  case newDevice = 1
  case oldDeviceGone = 2
  case category = 3
  case override = 4
  case wakeFromSleep = 6
  case noSuitableRoute = 7
  case configuration = 8
}
