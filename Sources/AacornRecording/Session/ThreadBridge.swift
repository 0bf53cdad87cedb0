import AacornSystem

/// The bridge from threads to Swift's concurrency, none of whose threads may block.
enum ThreadBridge {
  /// Runs work on a separate thread, and returns its result, or the value of `withoutThread` if the
  /// system has no free thread; canceling the task calls `onCancel`.
  static func value<Value: Sendable>(
    of work: @escaping @Sendable () -> Value, withoutThread: Value,
    onCancel: @Sendable () -> Void = {}
  ) async -> Value {
    await withTaskCancellationHandler {
      await withCheckedContinuation { continuation in
        let hasThread = System.startThread("file work") { continuation.resume(returning: work()) }
        if !hasThread { continuation.resume(returning: withoutThread) }
      }
    } onCancel: {
      onCancel()
    }
  }

  /// Runs work on a separate thread; canceling the task notifies the work by `Interruption`.
  static func run<Success: Sendable>(
    _ work: @escaping @Sendable (Interruption) throws(AACFileError) -> Success
  ) async throws(AACFileError) -> Success {
    let interruption = Interruption()
    let noThread = AACFileError(
      .noThread, "The system has no threads left.", suggestion: .text("Close other programs."))
    let result = await value(
      of: {
        // A closed pipe must not end the whole process.
        System.blockPipeSignal()
        return Result { () throws(AACFileError) in try work(interruption) }
      }, withoutThread: .failure(noThread),
      onCancel: { interruption.raise(System.interruptSignal) })
    return try result.get()
  }
}
