extension System {
  /// Runs a closure on a thread that nobody waits for; false if the system has no thread left.
  ///
  /// For work that may hang in a system call, so that the program can go on without it.
  package static func startThread(_ run: @escaping @Sendable () -> Void) -> Bool {
    guard let thread = WorkerThread(run) else { return false }
    thread.detach()
    return true
  }
}
