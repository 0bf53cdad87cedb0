#if os(Linux)
import AacornSystem

/// Captures from a PulseAudio server, or from PipeWire's PulseAudio server.
///
/// If no device is chosen, the server moves the stream whenever the default source changes.
/// Otherwise the stream stays with the device; while that is away the source waits for it. Voice
/// processing keeps the microphone that was the default at the start.
public final class PulseAudioSource: CaptureSource {
  /// A thread and its means of ending.
  private struct Session {
    let loop: PulseLoop
    let status: PulseAudioStatus
    let thread: WorkerThread
  }

  private struct State {
    var session: Session?
    /// The status of the current or last session.
    var status: PulseAudioStatus?
  }

  private let request: CaptureRequest
  private let server: String?
  private let library: PulseLibrary
  private let state = Lock(State())

  /// Creates a source for `request` on `server`; nil means the server in the user's settings.
  package convenience init(_ request: CaptureRequest, server: String? = nil) throws(CaptureError) {
    self.init(request, server: server, try .load())
  }

  init(_ request: CaptureRequest, server: String?, _ library: PulseLibrary) {
    self.request = request
    self.server = server
    self.library = library
  }

  deinit {
    stop()
  }

  /// The source in use, or the last one.
  public var device: CaptureDevice? { state.withLock { $0.status }?.device }

  /// Always nil: this source continues until it is stopped.
  public var failure: CaptureError? { nil }

  /// Always true: times are the monotonic clock's.
  public var followsClock: Bool { true }

  /// Details worth knowing, such as a missing real-time priority.
  public var remarks: [String] { state.withLock { $0.status }?.remarks ?? [] }

  /// Opens the device and starts capturing.
  public func start(_ sink: CaptureSink) throws(CaptureError) {
    try check()
    let status = PulseAudioStatus()
    let loop = try PulseLoop(library)
    let (request, server) = (request, server)
    let refusal = state.withLock { state -> CaptureError? in
      guard state.session == nil else {
        return .system(operation: "start", id: "PulseAudio", reason: "it is already running")
      }
      let thread = WorkerThread {
        PulseAudioCapture(request, server: server, loop, into: sink, status).run()
      }
      guard let thread else {
        return .system(operation: "start", id: "PulseAudio", reason: "no threads left")
      }
      state.session = Session(loop: loop, status: status, thread: thread)
      state.status = status
      return nil
    }
    if let refusal { throw refusal }
    // Every step has its own limit except starting a server, hence one for everything.
    let deadline = System.nanoseconds + 20_000_000_000
    if let error = status.awaitOpening(until: deadline) {
      stop()
      throw error
    }
  }

  /// Ends the capture; what was captured before is in the sink when this returns.
  public func stop() {
    let session = state.withLock { state in
      defer { state.session = nil }
      return state.session
    }
    guard let session else { return }
    session.loop.requestEnd()
    // A thread that hangs in a call is abandoned.
    if session.status.awaitEnd(until: System.nanoseconds + 950_000_000) { session.thread.join() }
  }

  private func check() throws(CaptureError) {
    let id =
      switch request.device {
      case .followingDefault: "default"
      case .pinned(let id): id
      }
    if let rate = request.sampleRate, !(1...384_000).contains(rate) {
      throw .unsupportedFormat(id: id, reason: "PulseAudio does not support \(rate) Hz")
    }
    if let count = request.channelCount, !(1...32).contains(count) {
      throw .unsupportedFormat(id: id, reason: "PulseAudio supports 1 to 32 channels")
    }
  }
}
#endif
