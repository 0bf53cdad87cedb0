import AacornSystem

/// Threads for work with files, so that no thread of Swift's concurrency blocks.
package enum FileThread {
  /// Runs work on a separate thread, and returns its result.
  package static func value<Value: Sendable>(
    of work: @escaping @Sendable () -> Value
  ) async -> Value {
    await withCheckedContinuation { (continuation: CheckedContinuation<Value, Never>) in
      let run: @Sendable () -> Void = { continuation.resume(returning: work()) }
      // Without a free thread, blocking is better than doing nothing.
      if !System.startThread(run) { run() }
    }
  }

  /// Runs work on a separate thread; canceling the task notifies the work by `Interruption`.
  static func run<Success: Sendable>(
    _ work: @escaping @Sendable (Interruption) throws(AACFileError) -> Success
  ) async throws(AACFileError) -> Success {
    let interruption = Interruption()
    let result: Result<Success, AACFileError> = await withTaskCancellationHandler {
      await withCheckedContinuation {
        (continuation: CheckedContinuation<Result<Success, AACFileError>, Never>) in
        let isStarted = System.startThread {
          // A closed pipe must not end the whole process.
          System.blockPipeSignal()
          continuation.resume(returning: outcome(of: work, interruption))
        }
        if !isStarted {
          continuation.resume(
            returning: .failure(
              AACFileError(
                .noThread, "The system has no threads left.", .text("Close other programs."))))
        }
      }
    } onCancel: {
      interruption.raise(System.interruptSignal)
    }
    switch result {
    case .success(let success): return success
    case .failure(let error): throw error
    }
  }

  private static func outcome<Success: Sendable>(
    of work: (Interruption) throws(AACFileError) -> Success, _ interruption: Interruption
  ) -> Result<Success, AACFileError> {
    do throws(AACFileError) {
      return .success(try work(interruption))
    } catch {
      return .failure(error)
    }
  }
}
