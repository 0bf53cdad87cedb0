import AacornSystem

/// Permanently ends the waits of another thread.
///
/// A pipe that can be read once the signal is raised, so that a wait for a socket can be a wait for
/// this as well.
public final class StopSignal: Sendable {
  private let ends: (reading: Int32, writing: Int32)?
  private let raised = Atomic(false)

  /// Creates a signal that is not raised.
  public init() { ends = System.makePipe() }

  deinit {
    guard let ends else { return }
    try? System.close(ends.reading)
    try? System.close(ends.writing)
  }

  /// Whether it has been raised.
  public var isRaised: Bool { raised.load(ordering: .acquiring) }

  /// Raises it; may be called more than once, from any thread.
  public func raise() {
    raised.store(true, ordering: .releasing)
    if let ends { System.poke(ends.writing) }
  }

  /// Waits for it for at most this many milliseconds; returns whether it has been raised.
  package func wait(milliseconds: Int) -> Bool {
    if let descriptor {
      let deadline = Deadline(after: .milliseconds(milliseconds))
      while !isRaised && !deadline.isOver {
        // A signal to the process ends a wait early.
        _ = System.wait(forAny: [descriptor], milliseconds: deadline.rest.millisecondsToWait)
      }
    } else {
      for _ in 0..<max(0, milliseconds / 10) where !isRaised { System.sleep(milliseconds: 10) }
    }
    return isRaised
  }

  /// Readable once it is raised; nil if the system had no pipe left.
  package var descriptor: Int32? { ends?.reading }
}
