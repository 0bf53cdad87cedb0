#if os(Linux)
import AacornSystem

/// Captures from a PulseAudio server, or from PipeWire's server of that protocol.
///
/// Without a chosen device the server moves the stream whenever the default source changes. With
/// one, the stream stays with it; while it is away the source waits for its return. With voice
/// processing the microphone that is the default at the start is kept.
public final class PulseAudioSource: CaptureSource {
  /// A thread and what ends it.
  private struct Session {
    let loop: PulseLoop
    let status: PulseAudioStatus
    let thread: WorkerThread
  }

  private struct State {
    var session: Session?
    /// Of the session, or of the last one.
    var status: PulseAudioStatus?
  }

  private let request: CaptureRequest
  private let server: String?
  private let library: PulseLibrary
  private let state = Lock(State())

  /// A source for `request` on `server`, nil being where the user's settings say.
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

  /// Always nil: this source goes on for as long as it is let.
  public var failure: CaptureError? { nil }

  /// True; times are the monotonic clock's.
  public var followsClock: Bool { true }

  /// What a curious person would want to know, such as a missing real-time priority.
  public var remarks: [String] { state.withLock { $0.status }?.remarks ?? [] }

  /// Opens the device and lets the samples flow.
  public func start(_ sink: CaptureSink) throws(CaptureError) {
    try check()
    let status = PulseAudioStatus()
    let loop = try PulseLoop(library)
    let (request, server) = (request, server)
    let refusal = state.withLock { state -> CaptureError? in
      guard state.session == nil else {
        return .system(operation: "start", id: "PulseAudio", reason: "it runs already")
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
    // Every step has its own limit; starting a server has not, hence one around all.
    let deadline = System.nanoseconds + 20_000_000_000
    if let error = status.awaitOpening(until: deadline) {
      stop()
      throw error
    }
  }

  /// Ends the flow; what was captured before is in the sink when this returns.
  public func stop() {
    let session = state.withLock { state in
      defer { state.session = nil }
      return state.session
    }
    guard let session else { return }
    session.loop.requestEnd()
    // A thread that hangs in a call is left to itself.
    if session.status.awaitEnd(until: System.nanoseconds + 950_000_000) { session.thread.join() }
  }

  private func check() throws(CaptureError) {
    let id =
      switch request.device {
      case .followingDefault: "default"
      case .pinned(let id): id
      }
    if let rate = request.sampleRate, !(1...384_000).contains(rate) {
      throw .unsupportedFormat(id: id, reason: "\(rate) Hz is no rate of PulseAudio's")
    }
    if let count = request.channelCount, !(1...32).contains(count) {
      throw .unsupportedFormat(id: id, reason: "PulseAudio has 1 to 32 channels")
    }
  }
}
#endif
