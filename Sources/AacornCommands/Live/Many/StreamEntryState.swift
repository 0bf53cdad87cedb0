import AacornNetwork
import AacornRecording
import AacornStreaming
import AacornSystem

enum StreamEntryState: Sendable, Equatable {
  /// Not started yet, or waiting for a predecessor.
  case ready
  case running
  case waiting
  case over(End)

  /// The final result of a stream.
  struct End: Sendable, Equatable {
    enum Kind: String, Sendable {
      /// The audio has ended.
      case ended
      /// A stop was requested.
      case stopped
      /// The stream has failed.
      case failed
    }

    var kind: Kind
    /// The result of the last run; success if there was none.
    var status: ExitStatus
  }

  /// The state as a keyword in JSON and on the status page.
  var keyword: String {
    switch self {
    case .ready: "ready"
    case .running: "running"
    case .waiting: "waiting"
    case .over(let end): end.kind.rawValue
    }
  }

  static var keywords: [String] { ["ready", "running", "waiting", "ended", "stopped", "failed"] }

  var isFinished: Bool {
    if case .over = self { true } else { false }
  }
}

struct StreamEntrySnapshot: Sendable {
  var name: String
  var state: StreamEntryState
  var restartCount = 0
  /// The result of the last completed run.
  var lastStatus: ExitStatus?
  /// The state of the current or last run.
  var details: LiveSnapshot

  /// Whether the stream is live, or has ended as intended.
  var isHealthy: Bool {
    switch state {
    case .running: details.isHealthy
    // A complete stream with a permanently failed output is not healthy.
    case .over(let end): end.kind != .failed && end.status == .success
    case .ready, .waiting: false
    }
  }
}

/// The conditions under which a stream that has ended restarts.
enum RestartPolicy: String, Sendable, CaseIterable {
  /// After a failure, but not at the end of its file or time limit.
  case onFailure = "on-failure"
  /// After each end.
  case always
  case never

  /// The action after a run.
  enum Decision: Equatable {
    /// Do not restart: the stream is complete.
    case end
    /// Do not restart after a failure.
    case giveUp
    case restart
  }

  /// Returns the action after a run with an exit status.
  func decision(after status: ExitStatus) -> Decision {
    // A mistake in the options remains until the user fixes it, so a restart is useless.
    if status == .usage { return .giveUp }
    // With the status `failed` all audio was streamed too, but an output has failed.
    let hasEnded = status == .success || status == .failed
    switch self {
    case .always: return .restart
    case .onFailure: return hasEnded ? .end : .restart
    case .never: return hasEnded ? .end : .giveUp
    }
  }
}

/// The delay before a stream restarts, with exponential backoff.
struct RestartPause: Sendable {
  private var backOff: BackOff

  /// The minimum duration in seconds of a run that resets the backoff.
  private static let stableTime = 60.0

  init(seed: UInt64) {
    backOff = BackOff(first: .seconds(1), longest: .seconds(60), seed: seed)
  }

  /// Returns the delay in milliseconds after a run of `seconds`.
  mutating func next(afterRunOf seconds: Double) -> Int {
    if seconds >= Self.stableTime { backOff.reset() }
    return backOff.next()
  }

  /// Resets the backoff to its first delay.
  mutating func reset() { backOff.reset() }
}

/// An event of the control of streams, in addition to the streams' own events.
enum StreamEntryEvent: Sendable, Equatable {
  /// A stream has started or restarted.
  case started(String)
  /// A stream has failed, and restarts after a delay.
  case waiting(String, ExitStatus, milliseconds: Int)
  /// A stream has ended and does not restart.
  case ended(String, StreamEntryState.End)
  /// The file was reloaded.
  case reloaded(StreamChanges)
  /// A reload was rejected, and nothing has changed.
  case refused(StreamsMistakes)
  /// The status server listens at a URL.
  case listening(url: String)
  case warning(String)
}

/// The differences that a reload has found.
struct StreamChanges: Sendable, Equatable {
  var new: [String] = []
  var changed: [String] = []
  var removed: [String] = []
  var unchangedCount = 0
}

extension StreamEntryEvent {
  func json(wallTime: Int64) -> JSONValue {
    func change(
      _ name: String, _ state: String, _ status: ExitStatus?, _ milliseconds: Int?
    ) -> JSONValue {
      .event(
        "stream", at: wallTime,
        [
          "stream": .text(name), "state": .text(state),
          "code": .optional(status.map { Int($0.code) }),
          "delayMilliseconds": .optional(milliseconds),
        ])
    }
    switch self {
    case .started(let name): return change(name, "running", nil, nil)
    case .waiting(let name, let status, let milliseconds):
      return change(name, "waiting", status, milliseconds)
    case .ended(let name, let end): return change(name, end.kind.rawValue, end.status, nil)
    case .reloaded(let changes):
      return .event(
        "reloaded", at: wallTime,
        [
          "new": .texts(changes.new), "changed": .texts(changes.changed),
          "gone": .texts(changes.removed), "unchanged": .integer(changes.unchangedCount),
        ])
    case .refused(let mistakes):
      let all = mistakes.all.map { $0.json(in: mistakes.path) }
      return .event("reload-refused", at: wallTime, ["mistakes": .list(all)])
    case .listening(let url):
      return .event(
        "listening", at: wallTime, ["service": .text("status"), "url": .text(url)])
    case .warning(let message):
      return .event("warning", at: wallTime, ["message": .text(message)])
    }
  }

  /// The event as human-readable messages, one per line.
  var messages: [String] {
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
        (changes.new, "new"), (changes.changed, "changed"), (changes.removed, "removed"),
      ] where !names.isEmpty {
        facts.append("\(what): \(names.joined(separator: ", "))")
      }
      facts.append("unchanged: \(changes.unchangedCount)")
      return ["The streams were read again; " + facts.joined(separator: "; ") + "."]
    case .refused(let mistakes):
      return mistakes.messages + ["Nothing was changed, because the file has mistakes."]
    case .listening(let url): return ["The status is at \(url)/status."]
    case .warning(let message): return ["Warning: " + message]
    }
  }

  /// Whether the event is printed even with `--quiet`.
  var isFailure: Bool {
    switch self {
    case .refused: true
    case .ended(_, let end): end.kind == .failed
    default: false
    }
  }

  /// Whether the event is printed only with `--verbose`.
  var isDetail: Bool {
    switch self {
    case .started: true
    case .ended(_, let end): end.kind == .stopped
    default: false
    }
  }
}
