import AacornRecording

/// The state of a stream.
enum StreamEntryState: Sendable, Equatable {
  /// Not started yet, or waiting for a predecessor.
  case ready
  case running
  /// Waiting for a restart.
  case waiting
  case over(End)

  /// The final result of a stream.
  struct End: Sendable, Equatable {
    /// The kind of end.
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

  /// All keywords.
  static var keywords: [String] { ["ready", "running", "waiting", "ended", "stopped", "failed"] }

  var isFinished: Bool {
    if case .over = self { true } else { false }
  }
}

/// A snapshot of a stream's state.
struct StreamEntrySnapshot: Sendable {
  var name: String
  var state: StreamEntryState
  /// The number of restarts.
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
