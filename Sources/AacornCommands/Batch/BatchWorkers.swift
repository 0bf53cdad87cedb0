import AacornSystem

/// The threads of a run.
enum BatchWorkers {
  /// Calls `body` on up to `count` threads with the thread's number, from 0, and waits for all
  /// threads.
  static func run(_ count: Int, _ body: @escaping @Sendable (Int) -> Void) {
    var threads: [WorkerThread] = []
    for number in 1..<max(1, count) {
      guard let thread = WorkerThread({ body(number) }) else { break }
      threads.append(thread)
    }
    body(0)
    for thread in threads { thread.join() }
  }
}
