import AacornNetwork
import AacornRecording
import AacornStreaming
import AacornSystem

enum StreamEntryState: String, Sendable, CaseIterable {
  /// Not started yet, or waiting for a predecessor.
  case ready
  case running
  case waiting
  /// The audio has ended.
  case ended
  /// A stop was requested.
  case stopped
  case failed

  var isFinal: Bool { self == .ended || self == .stopped || self == .failed }
}

struct StreamEntrySnapshot: Sendable {
  let name: String
  var state = StreamEntryState.ready
  var restartCount = 0
  /// The result of the last completed run.
  var lastStatus: ExitStatus?
  /// The final result of the stream; success if it was stopped between two runs.
  var endStatus: ExitStatus?
  /// The state of the current or last run.
  var details = LiveSnapshot()

  /// Whether the stream is live, or has ended as intended.
  var isHealthy: Bool {
    switch state {
    case .running: details.isHealthy
    // A complete stream with a permanently failed output is not healthy.
    case .ended, .stopped: endStatus == .success
    case .ready, .waiting, .failed: false
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
  /// A stream has changed its state. A waiting or ended stream has the result of its last run, a
  /// waiting one also the delay before the next.
  case changed(String, StreamEntryState, ExitStatus? = nil, milliseconds: Int? = nil)
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
    switch self {
    case .changed(let name, let state, let status, let milliseconds):
      return .event(
        "stream", at: wallTime,
        [
          "stream": .text(name), "state": .text(state.rawValue),
          "code": .optional(status.map { Int($0.code) }),
          "delayMilliseconds": .optional(milliseconds),
        ])
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
    case .changed(let name, let state, _, let milliseconds):
      let text =
        switch state {
        case .ready, .running: "started."
        case .waiting: "restarts in \(QuantityText.length(Double(milliseconds ?? 0) / 1000))."
        case .ended: "ended."
        case .stopped: "stopped."
        case .failed: "not restarted until the file is read again."
        }
      return ["\(name): \(text)"]
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
    case .refused, .changed(_, .failed, _, _): true
    default: false
    }
  }

  /// Whether the event is printed only with `--verbose`.
  var isDetail: Bool {
    switch self {
    case .changed(_, .running, _, _), .changed(_, .stopped, _, _): true
    default: false
    }
  }
}
