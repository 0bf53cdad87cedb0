#if os(Linux)
import AacornSystem

/// The consecutive threads of a source or target, one for each run.
final class PulseAudioSession: Sendable {
  /// A thread and the means to end it.
  private struct Run {
    let loop: PulseLoop
    let status: PulseAudioStatus
    let thread: WorkerThread
  }

  private struct State {
    var run: Run?
    /// The status of the current or last thread.
    var status: PulseAudioStatus?
  }

  /// The library that the threads use.
  let library: PulseLibrary
  private let state = Lock(State())

  init(_ library: PulseLibrary) {
    self.library = library
  }

  /// The device in use, or the last one.
  var device: Device? { state.withLock { $0.status }?.device }

  /// Diagnostics, such as a missing real-time priority.
  var diagnostics: [String] { state.withLock { $0.status }?.diagnostics ?? [] }

  /// Runs the work on a new thread, and returns when the thread has opened its device.
  ///
  /// Throws the error if the device cannot be opened, or `alreadyRunning` with this id.
  func start(
    _ id: String, _ work: @escaping @Sendable (PulseLoop, PulseAudioStatus) -> Void
  ) throws(CaptureError) {
    let status = PulseAudioStatus()
    let loop = try PulseLoop(library)
    let startError = state.withLock { state -> CaptureError? in
      guard state.run == nil else {
        return .alreadyRunning(id: id)
      }
      guard let thread = WorkerThread({ work(loop, status) }) else {
        return .system(
          operation: "start", id: "PulseAudio", reason: "the system has no threads left")
      }
      state.run = Run(loop: loop, status: status, thread: thread)
      state.status = status
      return nil
    }
    if let startError { throw startError }
    // Every step has its own time limit except the start of a server. So this deadline limits all
    // steps together.
    let deadline = System.nanoseconds + 20_000_000_000
    if let error = status.awaitOpening(until: deadline) {
      stop()
      throw error
    }
  }

  /// Ends the thread; a second call has no effect.
  func stop() {
    let run = state.withLock { state in
      defer { state.run = nil }
      return state.run
    }
    guard let run else { return }
    run.loop.requestEnd()
    // A thread that hangs in a call is abandoned.
    run.thread.join(milliseconds: 950)
    run.loop.gate.close()
  }
}
#endif
