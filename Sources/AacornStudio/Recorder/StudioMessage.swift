import AacornContainers
import AacornDevices
import AacornRecording

/// A message for pages.
struct StudioMessage: Sendable, Equatable {
  /// The importance of a message.
  enum Severity: String, Sendable {
    case note, warning, error
  }

  var severity: Severity
  var text: String

  static func note(_ text: String) -> StudioMessage { StudioMessage(severity: .note, text: text) }

  static func warning(_ text: String) -> StudioMessage {
    StudioMessage(severity: .warning, text: text)
  }

  static func error(_ text: String) -> StudioMessage { StudioMessage(severity: .error, text: text) }
}

extension StudioMessage {
  /// Creates the message for an event of a recording; nil if pages show the event elsewhere or not
  /// at all.
  init?(_ event: RecorderEvent, sampleRate: Int) {
    switch event {
    // The list of gaps and the buttons show these events.
    case .gap, .paused, .muted, .outputOpened, .outputClosed, .outputFailed: return nil
    case .stopped(let summary):
      guard summary.hasBegun else { return nil }
      switch summary.failure {
      // A failed output has reported its error, but not the lost audio.
      case nil, .allOutputsFailed:
        guard let message = summary.unsavedMessage else { return nil }
        self = .warning(message)
      case let failure?:
        let cost = summary.unsavedMessage.map { " " + $0 } ?? ""
        self = .error(
          "The recording ended prematurely. \(failure.pageMessage(file: nil))\(cost)")
      }
    case .outputLost, .outputsMissing, .outputMoved, .sourceRefused, .deviceLost, .suspended,
      .stalled, .signal, .formatChanged,
      .deviceReturned, .deviceChanged, .resumed, .started, .monitor, .track,
      .trackStarted, .trackStopped, .trackEnded, .trackFailed:
      guard
        let (text, weight) = event.message(
          sampleRate: sampleRate, deviceMessage: { error, _ in error.pageMessage }),
        weight == .always
      else { return nil }
      self = StudioMessage(severity: Self.severity(of: event), text: text)
    }
  }

  private static func severity(of event: RecorderEvent) -> Severity {
    switch event {
    case .outputLost: .error
    case .sourceRefused, .deviceLost, .suspended, .stalled, .monitor: .warning
    case .signal(let event) where event.isActive: .warning
    default: .note
    }
  }

  /// Creates the message for an event of monitoring without a recording.
  init?(whileListening event: RecorderEvent) {
    switch event {
    case .deviceLost: self = .warning("The device was disconnected. Waiting for it.")
    case .suspended: self = .warning("The device was suspended. Waiting for it.")
    case .sourceRefused(let error): self = .warning(error.pageMessage)
    case .monitor(let event):
      guard let message = event.message, !event.isVerboseOnly else { return nil }
      self = .warning(message)
    case .stopped(let summary):
      guard let failure = summary.failure, summary.hasBegun else { return nil }
      self = .error(failure.pageMessage(file: nil))
    default: return nil
    }
  }
}

extension RecordingSummary {
  /// Whether the recording started.
  ///
  /// If it did not, the response to the request contains the reason.
  var hasBegun: Bool { sampleRate > 0 }
}
