#if os(Linux)
import AacornSystem

/// The thread that opens a stream, watches it and reopens it when the device or the server returns.
///
/// An instance is used for one `start` and one `stop`.
final class PipeWireWorker: Sendable {
  private enum Phase {
    case fresh
    case running
    case stopped
  }

  /// The path of the server's socket; nil for the default server.
  let remote: String?
  let gate = PipeWireGate()
  /// Wakes the thread.
  let wake = Semaphore()
  private let phase = Lock(Phase.fresh)
  private let stopping = Atomic<Bool>(false)
  private let openingError = Lock<CaptureError?>(nil)
  private let opened = Semaphore()
  private let finished = Semaphore()
  private let thread = Lock<WorkerThread?>(nil)

  init(remote: String?) {
    self.remote = remote
  }

  /// Whether the thread should end.
  var isStopping: Bool { stopping.load(ordering: .acquiring) }

  /// Starts the thread, and waits until its stream is open; has no effect after `stop`.
  ///
  /// `makeUse` is called on the thread.
  func start(_ makeUse: @escaping @Sendable () -> any PipeWireUse) throws(CaptureError) {
    let isFresh = phase.withLock { phase in
      defer { if phase == .fresh { phase = .running } }
      return phase == .fresh
    }
    guard isFresh else { return }
    let thread = WorkerThread {
      let watch = PipeWireWatch(makeUse(), self)
      do throws(CaptureError) {
        try watch.open()
        self.opened.signal()
        watch.run()
      } catch {
        self.openingError.withLock { $0 = error }
        self.opened.signal()
      }
      watch.close()
      self.finished.signal()
    }
    var openingError: CaptureError?
    if let thread {
      self.thread.withLock { $0 = thread }
    } else {
      finished.signal()
    }
    if thread == nil {
      openingError = .system(
        operation: "start", id: "PipeWire", reason: "the system has no threads left")
    } else if !opened.wait(milliseconds: 15_000) {
      openingError = .noServer(backend: .pipeWire, reason: "it does not answer")
    } else {
      openingError = self.openingError.withLock { $0 }
    }
    if let openingError {
      stop()
      throw openingError
    }
  }

  /// Ends the thread; afterward no samples or events pass the gate.
  func stop() {
    let wasRunning = phase.withLock { phase in
      defer { phase = .stopped }
      return phase == .running
    }
    guard wasRunning else { return }
    stopping.store(true, ordering: .releasing)
    wake.signal()
    // This code never waits for the server. If the library hangs nevertheless, the thread is
    // abandoned.
    if finished.wait(milliseconds: 900) { thread.withLock { $0?.join() } }
    gate.close()
  }
}

/// A flag that lets samples pass until the worker ends, whatever the stream's state.
final class PipeWireGate: Sendable {
  private let open = Atomic<Bool>(true)

  var isOpen: Bool { open.load(ordering: .acquiring) }

  func close() {
    open.store(false, ordering: .releasing)
  }
}
#endif
