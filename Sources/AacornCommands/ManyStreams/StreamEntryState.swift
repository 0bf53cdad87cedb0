import AacornRecording

/// What a stream is doing.
enum StreamEntryState: Sendable, Equatable {
  /// Its turn has not come, or another one must make room first.
  case ready
  case running
  /// It restarts soon.
  case waiting
  case over(End)

  /// How it ended for good.
  struct End: Sendable, Equatable {
    /// Whether it was meant to.
    enum Kind: String, Sendable {
      /// The sound has reached its end.
      case ended
      /// It was asked to.
      case stopped
      /// It could not go on.
      case failed
    }

    var kind: Kind
    /// The result of the last run; success if there was none.
    var status: ExitStatus
  }

  /// The state in one word, for programs.
  var word: String {
    switch self {
    case .ready: "ready"
    case .running: "running"
    case .waiting: "waiting"
    case .over(let end): end.kind.rawValue
    }
  }

  /// All possible words.
  static var words: [String] { ["ready", "running", "waiting", "ended", "stopped", "failed"] }

  var isOver: Bool {
    if case .over = self { true } else { false }
  }
}

/// A stream as it is now.
struct StreamEntrySnapshot: Sendable {
  var name: String
  var state: StreamEntryState
  /// Number of restarts.
  var restartCount = 0
  /// The result of the last run that has ended.
  var lastStatus: ExitStatus?
  /// Its stream, or the last one.
  var details: StreamSnapshot

  /// Whether nothing needs attention: it can be heard, or has ended as it should.
  var isHealthy: Bool {
    switch state {
    case .running: details.isHealthy
    // An output that failed for good, though the sound reached its end, needs attention as well.
    case .over(let end): end.kind != .failed && end.status == .success
    case .ready, .waiting: false
    }
  }
}
