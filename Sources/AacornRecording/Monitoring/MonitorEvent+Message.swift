package import AacornDevices
import AacornSystem

extension MonitorEvent {
  /// A message about the event, for a user; nil if it is not needed.
  package var message: String? { message(errorMessage: { $0.message }) }

  /// Returns the message with the caller's text for the reason of a failure.
  package func message(errorMessage: (PlaybackError) -> String) -> String? {
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

  private static func name(_ device: PlaybackDevice?) -> String {
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
