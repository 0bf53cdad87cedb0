import AacornSystem

/// How long to wait for an output that is being closed: as long as it makes progress, and for its
/// patience after the last of it.
///
/// Looks are counted, and no clock is read, which would go on while the whole program is stopped.
struct OutputPatience {
  /// The looks of one patience.
  static let lookCount = 20
  private var handledCount: Int
  private var idleCount = 0

  /// Begins with what the output has handled so far.
  init(handledCount: Int) { self.handledCount = handledCount }

  /// Milliseconds until the next look.
  static func pause(of patience: Duration) -> Int {
    max(1, min(patience.millisecondsToWait, 86_400_000) / lookCount)
  }

  /// Looks at what it has handled by now; true if there has been no progress for a whole patience.
  mutating func isOver(handledCount now: Int) -> Bool {
    if now != handledCount {
      handledCount = now
      idleCount = 0
      return false
    }
    idleCount += 1
    return idleCount >= Self.lookCount
  }
}
