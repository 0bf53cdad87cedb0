package import AacornDevices
import AacornSystem

extension MonitorEvent {
  /// What happened, for someone watching; nil if that goes without saying.
  package var sentence: String? { sentence(refusal: { $0.sentence }) }

  /// The same with the reason why nothing is heard in words of a program's own.
  package func sentence(refusal: (PlaybackError) -> String) -> String? {
    switch self {
    case .started(let device): return "The sound is heard on \(Self.name(device))."
    case .refused(let error):
      return "Nothing can be heard meanwhile. \(refusal(error))"
    case .deviceLost:
      return "The output to hear on is gone; the sound still comes in."
    case .deviceReturned: return "The sound can be heard again."
    case .deviceChanged(let device): return "The sound is now heard on \(Self.name(device))."
    case .suspended:
      return "The output to hear on was put to sleep; the sound still comes in."
    case .resumed: return "The output to hear on is awake again."
    case .mayFeedBack:
      return "The microphone may hear the loudspeakers. Use headphones."
    case .feedback:
      return "The microphone hears the loudspeakers, so they were made quieter. Use headphones."
    case .stopped: return nil
    }
  }

  private static func name(_ device: PlaybackDevice?) -> String {
    guard let device else { return "a device" }
    return "“\(displayed(device.name.isEmpty ? device.id : device.name))”"
  }

  /// Whether only somebody curious wants to know.
  package var isCurious: Bool {
    switch self {
    case .started, .stopped: true
    case .refused, .deviceLost, .deviceReturned, .deviceChanged, .suspended, .resumed,
      .mayFeedBack, .feedback:
      false
    }
  }

  /// The event in a word, for programs.
  package var word: String {
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
