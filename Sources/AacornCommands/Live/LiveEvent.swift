import AacornRecording
import AacornStreaming

/// An event of a stream, for display and JSON.
enum LiveEvent: Sendable {
  case sound(RecorderEvent)
  /// An output has changed its state.
  case output(Int, OutputStatus.State)
  /// An output has dropped `count` frames or segments since its last report.
  case dropped(Int, count: Int)
  /// The bitrate was adapted to the network.
  case bitrate(BitrateChange)
  /// The title has changed.
  case metadata(LiveMetadata)
  /// A server of the program listens at a URL.
  case listening(Service, url: String)
  case warning(String)

  enum Service: String, Sendable {
    case hls, status
  }
}

extension LiveEvent {
  /// Returns the event as JSON, or nil if another event reports it.
  ///
  /// Names and order of the keys are stable.
  ///
  /// `outputs` are the outputs of a stream, `file` is the file that a recording has completed.
  func json(
    wallTime: Int64, _ plan: LivePlan, outputs: [OutputStatus], file: LiveTally.File? = nil
  ) -> JSONValue? {
    switch self {
    case .sound(let event):
      switch event {
      // Outputs report these events themselves.
      case .outputOpened where !plan.isRecording, .outputClosed where !plan.isRecording,
        .outputFailed where !plan.isRecording:
        return nil
      default: return event.json(wallTime: wallTime, plan: plan, file: file)
      }
    case .output(let index, let state):
      return .event("output", at: wallTime, outputs[index].identity + state.members)
    case .dropped(let index, let count):
      let output = outputs[index]
      return .event(
        "dropped", at: wallTime,
        output.identity + [
          .init("frames", .optional(output.dropsSegments ? nil : count)),
          .init("segments", .optional(output.dropsSegments ? count : nil)),
        ])
    case .bitrate(let change):
      return .event(
        "bitrate-changed", at: wallTime,
        [
          .init("from", .integer(change.from)), .init("to", .integer(change.to)),
          .init("because", .text(change.because.rawValue)),
        ])
    case .metadata(let metadata):
      return .event(
        "metadata", at: wallTime,
        [.init("title", .optional(metadata.title)), .init("artist", .optional(metadata.artist))])
    case .listening(let service, let url):
      return .event(
        "listening", at: wallTime,
        [.init("service", .text(service.rawValue)), .init("url", .text(url))])
    case .warning where plan.isRecording && plan.isQuiet: return nil
    case .warning(let message):
      return .event("warning", at: wallTime, [.init("message", .text(message))])
    }
  }
}
