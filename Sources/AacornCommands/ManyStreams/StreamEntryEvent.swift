import AacornRecording
import AacornSystem

/// What becomes of streams, beside what each of them tells of itself.
enum StreamEntryEvent: Sendable, Equatable {
  /// It begins, for the first time or again.
  case started(String)
  /// It has ended by a fault, and begins again after this many milliseconds.
  case waiting(String, ExitStatus, milliseconds: Int)
  /// It has ended, and does not begin again.
  case ended(String, StreamEntryState.End)
  /// The file was read again.
  case reloaded(StreamChanges)
  /// The file was read again in vain: nothing changes.
  case refused(StreamsMistakes)
  /// The state of all can be seen at an address.
  case listening(url: String)
  case warning(String)
}

/// What a file says anew.
struct StreamChanges: Sendable, Equatable {
  var new: [String] = []
  var changed: [String] = []
  var gone: [String] = []
  var unchangedCount = 0
}

extension StreamEntryEvent {
  /// The event for programs; keys keep their names and order.
  func json(wallTime: Int64) -> JSONValue {
    func object(_ name: String, _ members: [JSONValue.Member]) -> JSONValue {
      .object(
        [.init("event", .text(name)), .init("time", .text(Timestamp.iso8601(wallTime)))] + members)
    }
    func change(
      _ name: String, _ state: String, _ status: ExitStatus?, _ milliseconds: Int?
    ) -> JSONValue {
      object(
        "stream",
        [
          .init("stream", .text(name)), .init("state", .text(state)),
          .init("code", .optional(status.map { Int($0.code) })),
          .init("delayMilliseconds", .optional(milliseconds)),
        ])
    }
    func names(_ names: [String]) -> JSONValue { .list(names.map { .text($0) }) }
    switch self {
    case .started(let name): return change(name, "running", nil, nil)
    case .waiting(let name, let status, let milliseconds):
      return change(name, "waiting", status, milliseconds)
    case .ended(let name, let end): return change(name, end.kind.rawValue, end.status, nil)
    case .reloaded(let changes):
      return object(
        "reloaded",
        [
          .init("new", names(changes.new)), .init("changed", names(changes.changed)),
          .init("gone", names(changes.gone)), .init("unchanged", .integer(changes.unchangedCount)),
        ])
    case .refused(let mistakes):
      let all = mistakes.all.map { JSONValue.object($0.members(in: mistakes.path)) }
      return object("reload-refused", [.init("mistakes", .list(all))])
    case .listening(let url):
      return object("listening", [.init("service", .text("status")), .init("url", .text(url))])
    case .warning(let sentence): return object("warning", [.init("message", .text(sentence))])
    }
  }

  /// The event for people, a sentence a line.
  var sentences: [String] {
    switch self {
    case .started(let name): return ["\(name): started."]
    case .waiting(let name, _, let milliseconds):
      return ["\(name): restarts in \(QuantityText.length(Double(milliseconds) / 1000))."]
    case .ended(let name, let end):
      switch end.kind {
      case .ended: return ["\(name): ended."]
      case .stopped: return ["\(name): stopped."]
      case .failed: return ["\(name): not restarted until the file is read again."]
      }
    case .reloaded(let changes):
      var facts: [String] = []
      for (names, what) in [
        (changes.new, "new"), (changes.changed, "changed"), (changes.gone, "gone"),
      ] where !names.isEmpty {
        facts.append("\(what): \(names.joined(separator: ", "))")
      }
      facts.append("unchanged: \(changes.unchangedCount)")
      return ["The streams were read again; " + facts.joined(separator: "; ") + "."]
    case .refused(let mistakes):
      return mistakes.sentences + ["Nothing was changed, because the file has mistakes."]
    case .listening(let url): return ["The status is at \(url)/status."]
    case .warning(let sentence): return ["Warning: " + sentence]
    }
  }

  /// Whether even a quiet program says so.
  var isFailure: Bool {
    switch self {
    case .refused: true
    case .ended(_, let end): end.kind == .failed
    default: false
    }
  }

  /// Whether only the curious want to know.
  var isDetail: Bool {
    switch self {
    case .started: true
    case .ended(_, let end): end.kind == .stopped
    default: false
    }
  }
}
