/// Threads that process files.
package enum Workers {
  /// Calls `body` on up to `count` threads, and waits for all threads.
  ///
  /// The current thread works too, so a single file needs no other thread.
  package static func run(_ count: Int, _ body: @escaping @Sendable () -> Void) {
    var threads: [WorkerThread] = []
    for _ in 1..<max(1, count) {
      guard let thread = WorkerThread("files", { body() }) else { break }
      threads.append(thread)
    }
    body()
    for thread in threads { thread.join() }
  }
}
