import AacornStreaming
import AacornSystem

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
