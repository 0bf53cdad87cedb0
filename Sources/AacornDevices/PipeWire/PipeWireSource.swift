#if os(Linux)
import AacornSystem
import Synchronization

/// Captures through PipeWire's native interface.
///
/// A separate thread opens the stream, watches it and reopens it when the device or the server
/// comes back; the samples arrive on PipeWire's data thread.
public final class PipeWireSource: CaptureSource {
  /// What the watching thread reports about itself.
  struct Status: Sendable {
    var device: CaptureDevice?
    var remarks: [String] = []
    var refusal: CaptureError?
  }

  private enum Phase {
    case fresh
    case running
    case stopped
  }

  let request: CaptureRequest
  /// The path of the server's socket; nil for the usual one.
  let remote: String?
  let status = Lock(Status())
  let valve = PipeWireValve()
  /// Wakes the watching thread.
  let wake = Semaphore()
  private let phase = Lock(Phase.fresh)
  private let stopping = Atomic<Bool>(false)
  private let opened = Semaphore()
  private let finished = Semaphore()
  private let thread = Lock<WorkerThread?>(nil)

  package init(_ request: CaptureRequest, remote: String? = nil) {
    self.request = request
    self.remote = remote
  }

  /// The device in use, or the last one.
  public var device: CaptureDevice? { status.withLock(\.device) }

  /// Always nil: the source waits for whatever is away.
  public var failure: CaptureError? { nil }

  /// Always true: block times are the monotonic clock's.
  public var followsClock: Bool { true }

  /// Details worth knowing, such as a missing real-time priority.
  public var remarks: [String] { status.withLock(\.remarks) }

  /// Whether the watching thread should end.
  var isStopping: Bool { stopping.load(ordering: .acquiring) }

  /// Opens the device and starts capturing; blocks and notices go to `sink`.
  public func start(_ sink: CaptureSink) throws(CaptureError) {
    let isFresh = phase.withLock { phase in
      defer { if phase == .fresh { phase = .running } }
      return phase == .fresh
    }
    guard isFresh else { return }
    let thread = WorkerThread {
      let watch = PipeWireWatch(source: self, sink: sink)
      do throws(CaptureError) {
        try watch.open()
        self.opened.signal()
        watch.run()
      } catch {
        self.status.withLock { $0.refusal = error }
        self.opened.signal()
      }
      watch.close()
      self.finished.signal()
    }
    var refusal: CaptureError?
    if let thread {
      self.thread.withLock { $0 = thread }
    } else {
      finished.signal()
    }
    if thread == nil {
      refusal = .system(
        operation: "start", id: "PipeWire", reason: "the system has no threads left")
    } else if !opened.wait(milliseconds: 15_000) {
      refusal = .noServer(backend: .pipeWire, reason: "it does not answer")
    } else {
      refusal = status.withLock(\.refusal)
    }
    if let refusal {
      stop()
      throw refusal
    }
  }

  /// Ends the capture.
  public func stop() {
    let wasRunning = phase.withLock { phase in
      defer { phase = .stopped }
      return phase == .running
    }
    guard wasRunning else { return }
    stopping.store(true, ordering: .releasing)
    wake.signal()
    // Nothing here waits for the server. Should the library hang all the same, the thread is
    // abandoned.
    if finished.wait(milliseconds: 900) { thread.withLock { $0?.join() } }
    valve.close()
  }
}
#endif
