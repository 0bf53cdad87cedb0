#if os(Linux)
import AacornSystem

/// The state that the thread of a device shares with the threads that start and stop it.
protocol DeviceRun: AnyObject, Sendable {
  /// The maximum time to open a device, in nanoseconds.
  static var openTimeout: Int64 { get }
  /// The maximum time for the thread to end, in milliseconds.
  var endTimeout: Int { get }
  /// The error if the system cannot create a thread.
  var noThreadError: DeviceError { get }
  /// The error if the device is not open after `openTimeout`.
  var timeoutError: DeviceError { get }
  /// The status that the thread reports.
  var status: DeviceStatus { get }
  /// The gate to the sink or the feed.
  var gate: DeviceGate { get }

  /// Requests the thread to end, from any thread.
  func requestEnd()
}

/// The consecutive threads of a source or target, one for each run.
///
/// A thread opens the device and keeps it open. All calls of a sound library are made on this
/// thread, because any of them may hang: `stop` abandons a hanging thread and closes its gate.
final class DeviceThread<Run: DeviceRun>: Sendable {
  private struct State {
    /// The current run, from `start` to `stop`.
    var current: (run: Run, thread: WorkerThread)?
    /// The status of the current or last run.
    var status: DeviceStatus?
  }

  private let state = Lock(State())

  /// The status of the current or last run; nil before the first run.
  var status: DeviceStatus? { state.withLock { $0.status } }

  /// Runs the work on a new thread, and returns when the thread has opened its device.
  ///
  /// Throws the error if the device cannot be opened, or `alreadyRunning` with this id.
  func start(
    _ id: String, _ run: Run, _ work: @escaping @Sendable (Run) -> Void
  ) throws(DeviceError) {
    run.status.device = status?.device
    let startError = state.withLock { state -> DeviceError? in
      guard state.current == nil else { return .alreadyRunning(id: id) }
      guard let thread = WorkerThread({ work(run) }) else { return run.noThreadError }
      state.current = (run, thread)
      state.status = run.status
      return nil
    }
    if let startError { throw startError }
    let deadline = System.nanoseconds + Run.openTimeout
    if let error = run.status.awaitOpening(until: deadline, timeoutError: run.timeoutError) {
      end(only: run)
      throw error
    }
  }

  /// Ends the thread; a second call has no effect.
  func stop() { end(only: nil) }

  /// Ends the current run, or with `run` only that one: another may have started since.
  private func end(only run: Run?) {
    let current = state.withLock { state -> (run: Run, thread: WorkerThread)? in
      if let run, state.current?.run !== run { return nil }
      defer { state.current = nil }
      return state.current
    }
    guard let (run, thread) = current else { return }
    run.requestEnd()
    // A thread that hangs in a call is abandoned.
    thread.join(milliseconds: run.endTimeout)
    run.gate.close()
    run.status.finishOpening(run.timeoutError)
  }
}

/// A thread that reports changes of the list of devices until this object is released.
final class DeviceListWatch<Run: DeviceRun>: Sendable {
  private let run: Run
  private let thread: WorkerThread

  /// Runs the work on a new thread; nil if the system cannot create one.
  init?(_ run: Run, _ work: @escaping @Sendable (Run) -> Void) {
    self.run = run
    guard let thread = WorkerThread({ work(run) }) else { return nil }
    self.thread = thread
  }

  deinit {
    run.requestEnd()
    // The work may have released this object on the thread itself, which is then only detached.
    thread.join(milliseconds: run.endTimeout)
  }
}
#endif
