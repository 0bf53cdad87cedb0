import AacornSystem

/// The bridge from threads to Swift's concurrency, none of whose threads may block.
package enum ThreadBridge {
  /// Returns the value that `begin` passes to its completion; canceling the task calls `onCancel`.
  package static func completion<Value: Sendable>(
    of begin: @Sendable (_ completion: @escaping @Sendable (Value) -> Void) -> Void,
    onCancel: @Sendable () -> Void = {}
  ) async -> Value {
    await withTaskCancellationHandler {
      await withCheckedContinuation { continuation in
        begin { continuation.resume(returning: $0) }
      }
    } onCancel: {
      onCancel()
    }
  }

  /// Runs work on a separate thread, and returns its result, or the value of `withoutThread` if the
  /// system has no free thread.
  static func value<Value: Sendable>(
    of work: @escaping @Sendable () -> Value, withoutThread: Value,
    onCancel: @Sendable () -> Void = {}
  ) async -> Value {
    await completion(
      of: { completion in
        if !System.startThread({ completion(work()) }) { completion(withoutThread) }
      }, onCancel: onCancel)
  }

  /// Runs work on a separate thread; canceling the task notifies the work by `Interruption`.
  static func run<Success: Sendable>(
    _ work: @escaping @Sendable (Interruption) throws(AACFileError) -> Success
  ) async throws(AACFileError) -> Success {
    let interruption = Interruption()
    let noThread = AACFileError(
      .noThread, "The system has no threads left.", .text("Close other programs."))
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
