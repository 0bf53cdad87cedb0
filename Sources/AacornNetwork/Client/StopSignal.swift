package import AacornSystem

/// A signal that permanently ends the waits of another thread.
///
/// The signal has a pipe that becomes readable when it is raised, so that a thread can wait for a
/// socket and the signal together.
public final class StopSignal: Sendable {
  private let pipe: WakePipe?
  private let raised = Atomic(false)
  private let interruption: Interruption?

  /// Creates a signal that is not raised.
  public init() {
    pipe = WakePipe()
    interruption = nil
  }

  /// Creates a signal that is raised with an interruption.
  ///
  /// It has no descriptor, because other threads may read the pipe of the interruption.
  package init(_ interruption: Interruption) {
    pipe = nil
    self.interruption = interruption
  }

  /// Whether the signal has been raised.
  public var isRaised: Bool {
    raised.load(ordering: .acquiring) || interruption?.signal != nil
  }

  /// Raises the signal.
  ///
  /// May be called more than once, from any thread.
  public func raise() {
    raised.store(true, ordering: .releasing)
    pipe?.wake()
  }

  /// Waits at most this many milliseconds for the signal.
  ///
  /// Returns whether it has been raised.
  package func wait(milliseconds: Int) -> Bool {
    if let descriptor {
      let deadline = Deadline(after: .milliseconds(milliseconds))
      while !isRaised && !deadline.hasPassed {
        // A Unix signal to the process ends a wait early, so wait again.
        _ = System.wait(forAny: [descriptor], milliseconds: deadline.remaining.millisecondsToWait)
      }
    } else {
      for _ in 0..<max(0, milliseconds / 10) where !isRaised { System.sleep(milliseconds: 10) }
    }
    return isRaised
  }

  /// Returns the maximum duration of a single wait in milliseconds, at most `time`: short if no
  /// descriptor can end the wait.
  func milliseconds(upTo time: Duration) -> Int {
    let milliseconds = time.millisecondsToWait
    return descriptor == nil ? min(milliseconds, 50) : milliseconds
  }

  /// The descriptor that becomes readable when the signal is raised; nil if the signal has no pipe.
  package var descriptor: Int32? { pipe?.reading }
}
