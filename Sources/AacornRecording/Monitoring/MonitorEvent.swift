public import AacornDevices
import AacornSystem

/// An event of the monitor.
public enum MonitorEvent: Sendable, Equatable {
  /// The monitor plays on this device.
  case started(Device?)
  /// The monitor cannot play; the recording continues without it.
  case refused(DeviceError)
  /// The device or the sound server was disconnected.
  case deviceLost
  /// The device is connected again.
  case deviceReturned(Device?)
  /// The sound server has moved the monitor to this device.
  case deviceChanged(Device?)
  /// The system has suspended the device.
  case suspended
  /// The system has resumed the device.
  case resumed
  /// Microphone and loudspeakers belong to one device, so that feedback is likely.
  case mayFeedBack
  /// The microphone picks up the loudspeakers, so the monitor was made quieter.
  case feedback
  /// The monitor has stopped.
  case stopped

  /// A message about the event, for a user; nil if it is not needed.
  package var message: String? { message { $0.message } }

  /// Returns the message with the caller's text for the reason of a failure.
  package func message(_ errorMessage: (DeviceError) -> String) -> String? {
    switch self {
    case .started(let device): return "Monitoring on \(Self.name(device))."
    case .refused(let error):
      return "Monitoring is not available. \(errorMessage(error))"
    case .deviceLost:
      return "The monitor output was disconnected. Recording continues."
    case .deviceReturned: return "Monitoring has resumed."
    case .deviceChanged(let device): return "Now monitoring on \(Self.name(device))."
    case .suspended:
      return "The monitor output was suspended. Recording continues."
    case .resumed: return "The monitor output has resumed."
    case .mayFeedBack:
      return "The microphone may pick up the loudspeakers. Use headphones."
    case .feedback:
      return "The microphone picks up the loudspeakers. Their volume was reduced. Use headphones."
    case .stopped: return nil
    }
  }

  private static func name(_ device: Device?) -> String {
    guard let device else { return "a device" }
    return "“\(displayed(device.name.isEmpty ? device.id : device.name))”"
  }

  /// Whether the event is reported only in verbose mode.
  package var isVerboseOnly: Bool {
    switch self {
    case .started, .stopped: true
    case .refused, .deviceLost, .deviceReturned, .deviceChanged, .suspended, .resumed,
      .mayFeedBack, .feedback:
      false
    }
  }

  /// The machine-readable name of the event.
  package var keyword: String {
    switch self {
    case .started: "started"
    case .refused: "refused"
    case .deviceLost: "device-lost"
    case .deviceReturned: "device-returned"
    case .deviceChanged: "device-changed"
    case .suspended: "suspended"
    case .resumed: "resumed"
    case .mayFeedBack: "may-feed-back"
    case .feedback: "feedback"
    case .stopped: "stopped"
    }
  }
}
