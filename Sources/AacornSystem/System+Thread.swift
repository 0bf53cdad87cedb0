extension System {
  /// Runs a closure on a detached thread; returns false if the system cannot create a thread.
  ///
  /// Use it for work that may hang in a system call, so that the program can continue without this
  /// work.
  package static func startThread(_ run: @escaping @Sendable () -> Void) -> Bool {
    guard let thread = WorkerThread(run) else { return false }
    thread.detach()
    return true
  }
}
