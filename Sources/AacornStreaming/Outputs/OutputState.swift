/// The state of an output.
public enum OutputState<Problem: Sendable & Equatable>: Sendable, Equatable {
  /// No audio has been received yet.
  case ready
  /// The first connection is being opened.
  case connecting
  /// The server receives audio, or an output without a server does.
  case live
  /// The connection was lost and is being reopened.
  ///
  /// The values are the reason, and the number of the attempt, from 1.
  case reconnecting(Problem, attempt: Int)
  /// The output has ended as requested.
  case stopped
  /// The output cannot continue.
  ///
  /// A connection fails because of an error at the first connection that retrying cannot fix, after
  /// too many attempts, or because the end came before the server had accepted any audio. After the
  /// connection was live, the only permanent error is a missing library on this machine: a
  /// rejection may be temporary then.
  case failed(Problem)

  /// The state as one word, for programs.
  package var keyword: String {
    switch self {
    case .ready: "ready"
    case .connecting: "connecting"
    case .live: "live"
    case .reconnecting: "reconnecting"
    case .stopped: "stopped"
    case .failed: "failed"
    }
  }

  /// The words of all states.
  package static var keywords: [String] {
    ["ready", "connecting", "live", "reconnecting", "stopped", "failed"]
  }

  /// The reason for the state; nil if no problem occurred.
  package var problem: Problem? {
    switch self {
    case .reconnecting(let problem, _), .failed(let problem): problem
    case .ready, .connecting, .live, .stopped: nil
    }
  }

  /// The number of attempts to reconnect.
  package var attempt: Int {
    if case .reconnecting(_, let attempt) = self { attempt } else { 0 }
  }

  /// The problem that ended the output; nil if it can continue.
  package var failure: Problem? {
    if case .failed(let problem) = self { problem } else { nil }
  }

  /// Whether the state is final.
  var isLast: Bool { self == .stopped || failure != nil }

  /// Returns the state with another description of its problem.
  func map<Other>(_ transform: (Problem) -> Other) -> OutputState<Other> {
    switch self {
    case .ready: .ready
    case .connecting: .connecting
    case .live: .live
    case .reconnecting(let problem, let attempt):
      .reconnecting(transform(problem), attempt: attempt)
    case .stopped: .stopped
    case .failed(let problem): .failed(transform(problem))
    }
  }

  /// Enters a state, unless the current state is final or equal.
  ///
  /// Returns whether the state changed.
  mutating func enter(_ state: Self) -> Bool {
    if isLast || self == state { return false }
    self = state
    return true
  }
}
