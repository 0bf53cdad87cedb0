import AacornStreaming
import AacornSystem

/// Whether a stream that has ended by itself begins again.
enum RestartPolicy: String, Sendable, CaseIterable {
  /// After a fault, but not at the end of its file or its time.
  case onFailure = "on-failure"
  /// In any case.
  case always
  case never

  /// What becomes of a stream.
  enum Decision: Equatable {
    /// It has reached its end.
    case end
    /// It could not go on, and will not.
    case giveUp
    case restart
  }

  /// What to do after a run with this result.
  func decision(after status: ExitStatus) -> Decision {
    // What is wrong with the options stays so until somebody changes them.
    if status == .usage { return .giveUp }
    // The sound has reached its end, though not everybody got it.
    let hasEnded = status == .success || status == .failed
    switch self {
    case .always: return .restart
    case .onFailure: return hasEnded ? .end : .restart
    case .never: return hasEnded ? .end : .giveUp
    }
  }
}

/// How long a stream waits before it begins again.
struct RestartPause: Sendable {
  private var backOff: BackOff

  /// A run of this many seconds was no failed attempt.
  private static let stableTime = 60.0

  init(seed: UInt64) {
    backOff = BackOff(first: .seconds(1), longest: .seconds(60), seed: seed)
  }

  /// The milliseconds to wait after a run of this many seconds.
  mutating func next(afterRunOf seconds: Double) -> Int {
    if seconds >= Self.stableTime { backOff.reset() }
    return backOff.next()
  }

  /// The next failure is the first one.
  mutating func reset() { backOff.reset() }
}
