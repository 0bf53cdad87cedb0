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
