import AacornRecording
import AacornStreaming

extension LiveEvent {
  /// Returns the event as JSON, or nil if another event reports it.
  ///
  /// Names and order of the keys are stable.
  ///
  /// `outputs` are the outputs of a stream, `file` is the file that a recording has completed.
  func json(
    wallTime: Int64, _ plan: LivePlan, outputs: [OutputStatus], file: LiveTally.File? = nil
  ) -> JSONValue? {
    func object(_ name: String, _ members: [JSONValue.Member]) -> JSONValue {
      .object(
        [.init("event", .text(name)), .init("time", .text(Timestamp.iso8601(wallTime)))] + members)
    }
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
      return object("output", outputs[index].identity + state.members)
    case .dropped(let index, let count):
      let output = outputs[index]
      return object(
        "dropped",
        output.identity + [
          .init("frames", .optional(output.dropsSegments ? nil : count)),
          .init("segments", .optional(output.dropsSegments ? count : nil)),
        ])
    case .bitrate(let change):
      return object(
        "bitrate-changed",
        [
          .init("from", .integer(change.from)), .init("to", .integer(change.to)),
          .init("because", .text(change.because.rawValue)),
        ])
    case .metadata(let metadata):
      return object(
        "metadata",
        [.init("title", .optional(metadata.title)), .init("artist", .optional(metadata.artist))])
    case .listening(let service, let url):
      return object(
        "listening", [.init("service", .text(service.rawValue)), .init("url", .text(url))])
    case .warning where plan.isRecording && plan.isQuiet: return nil
    case .warning(let message): return object("warning", [.init("message", .text(message))])
    }
  }
}
