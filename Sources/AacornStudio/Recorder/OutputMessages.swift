import AacornContainers
import AacornNetwork
import AacornRecording
import AacornStreaming
import AacornSystem

/// The outputs of a recording for pages, and messages about their state changes.
final class OutputMessages: Sendable {
  /// The list of outputs with their states.
  let list: OutputList
  /// The messages held back; nil while messages are sent immediately.
  private let held: Lock<[StudioMessage]?>
  private let onChange: @Sendable (StudioMessage?) -> Void

  /// Creates an empty list; `onChange` is called with every change, and the message about it if
  /// there is one.
  init(_ redactor: Redactor, onChange: @escaping @Sendable (StudioMessage?) -> Void) {
    let held = Lock<[StudioMessage]?>(nil)
    self.held = held
    self.onChange = onChange
    // A recording whose file cannot be created must not start.
    list = OutputList(
      redactor, needsAll: true, failureMessage: { $0.pageMessage($1) },
      problemMessage: { $0.pageMessage }
    ) { _, old, state in
      // Pages do not show the number of an attempt, so ignore a new attempt alone.
      if old.state.pageKeyword == state.pageKeyword && old.state.detail == state.detail { return }
      let message = OutputMessages.message(about: old, now: state)
      let isHeld = held.withLock { held in
        guard held != nil, let message else { return false }
        held?.append(message)
        return true
      }
      onChange(isHeld ? nil : message)
    }
  }

  /// The outputs as JSON for pages.
  var json: JSONValue {
    .list(
      list.all.map { output in
        [
          "kind": .text(output.kind == .save ? "file" : output.kind.rawValue),
          "name": .text(output.name),
          "state": .text(output.state.pageKeyword),
          "detail": .text(output.state.detail),
          "url": .text(output.url), "sent": .integer(output.frameCount),
          "dropped": .integer(output.droppedFrameCount),
          "bytes": .integer(output.byteCount),
        ]
      })
  }

  /// Holds messages back until the recording has started or failed.
  func hold() { held.withLock { $0 = [] } }

  /// Sends the held messages, except for the one already returned in the response; later messages
  /// are sent immediately.
  func release(except answer: String? = nil) {
    let messages = held.withLock { held in
      defer { held = nil }
      return held ?? []
    }
    for message in messages where message.text != answer { onChange(message) }
  }

  private static func message(
    about old: OutputStatus, now state: OutputStatus.State
  ) -> StudioMessage? {
    let name = displayed(old.name)
    switch state {
    case .live:
      if case .reconnecting = old.state { return .note("\(name) is live again.") }
      return old.kind.isServer ? .note("\(name) is live.") : nil
    case .reconnecting: return .warning("\(name): \(state.detail) Trying again.")
    case .failed where old.kind == .save: return .error(state.detail)
    case .failed: return .error("Gave up on \(name): \(state.detail)")
    case .ready, .connecting, .stopped: return nil
    }
  }
}

extension OutputStatus.State {
  /// The word for the state in the JSON for pages.
  fileprivate var pageKeyword: String {
    switch self {
    // No audio has arrived, or the server has not responded yet.
    case .ready, .connecting: "opening"
    case .live: "live"
    case .reconnecting: "reconnecting"
    case .stopped: "ended"
    case .failed: "failed"
    }
  }

  /// The message about the state, without secrets; may be empty.
  fileprivate var detail: String { problem?.message ?? "" }
}
