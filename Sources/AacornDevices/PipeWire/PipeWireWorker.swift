#if os(Linux)
import AacornSystem

/// The thread that opens a stream, watches it and reopens it when the device or the server returns.
///
/// An instance is used for one `start` and one `stop`.
final class PipeWireWorker: Sendable {
  private enum Phase {
    case fresh
    case running(WorkerThread)
    case stopped
  }

  /// The path of the server's socket; nil for the default server.
  let remote: String?
  let library: PipeWireLibrary
  let gate = PipeWireGate()
  /// Wakes the thread.
  let wake = Semaphore()
  private let phase = Lock(Phase.fresh)
  private let stopping = Atomic<Bool>(false)
  private let openingError = Lock<CaptureError?>(nil)
  private let opened = Semaphore()

  init(remote: String?, _ library: PipeWireLibrary) {
    self.remote = remote
    self.library = library
  }

  /// Whether the thread should end.
  var isStopping: Bool { stopping.load(ordering: .acquiring) }

  /// Starts the thread, and waits until its stream is open; has no effect after `stop`.
  ///
  /// `makeUse` is called on the thread.
  func start(_ makeUse: @escaping @Sendable () -> any PipeWireUse) throws(CaptureError) {
    let hasThread = phase.withLock { phase -> Bool? in
      guard case .fresh = phase else { return nil }
      let thread = WorkerThread { self.run(makeUse()) }
      phase = thread.map { .running($0) } ?? .stopped
      return thread != nil
    }
    guard let hasThread else { return }
    guard hasThread else {
      throw .system(operation: "start", id: "PipeWire", reason: "the system has no threads left")
    }
    let openingError: CaptureError? =
      if opened.wait(milliseconds: 15_000) {
        self.openingError.withLock { $0 }
      } else {
        .noServer(backend: .pipeWire, reason: "it does not answer")
      }
    if let openingError {
      stop()
      throw openingError
    }
  }

  private func run(_ use: any PipeWireUse) {
    let watch = PipeWireWatch(use, self)
    do throws(CaptureError) {
      try watch.open()
      opened.signal()
      watch.run()
    } catch {
      openingError.withLock { $0 = error }
      opened.signal()
    }
    watch.close()
  }

  /// Ends the thread; afterward no samples or events pass the gate.
  func stop() {
    let thread = phase.withLock { phase -> WorkerThread? in
      defer { phase = .stopped }
      return if case .running(let thread) = phase { thread } else { nil }
    }
    guard let thread else { return }
    stopping.store(true, ordering: .releasing)
    wake.signal()
    // This code never waits for the server. If the library hangs nevertheless, the thread is
    // abandoned.
    thread.join(milliseconds: 900)
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
