#if os(Linux)
import AacornSystem

/// Captures through PipeWire's native interface.
///
/// A separate thread opens the stream, watches it and reopens it when the device or the server
/// returns; the samples arrive on PipeWire's data thread.
public final class PipeWireSource: CaptureSource {
  /// The state of the source, as reported by the watching thread.
  struct Status: Sendable {
    var device: Device?
    var diagnostics: [String] = []
  }

  let request: CaptureRequest
  let status = Lock(Status())
  private let remote: String?
  private let library: PipeWireLibrary
  /// The worker of the current run, from `start` to `stop`; runs follow one another.
  private let work = Lock<PipeWireWorker?>(nil)

  package init(
    _ request: CaptureRequest, remote: String? = nil, library: PipeWireLibrary = .system
  ) {
    self.request = request
    self.remote = remote
    self.library = library
  }

  /// The device in use, or the last one.
  public var device: Device? { status.withLock(\.device) }

  /// Always nil: the source waits for an unavailable device or server.
  public var failure: CaptureError? { nil }

  /// Always true: block times are the monotonic clock's.
  public var followsClock: Bool { true }

  /// Diagnostics, such as a missing real-time priority.
  public var diagnostics: [String] { status.withLock(\.diagnostics) }

  /// Opens the device and starts capturing; blocks and events go to `sink`.
  public func start(_ sink: CaptureSink) throws(CaptureError) {
    let work = PipeWireWorker(remote: remote, library)
    let isFirst = self.work.withLock { present in
      if present != nil { return false }
      present = work
      return true
    }
    guard isFirst else { throw .alreadyRunning(id: request.device.pinnedID ?? "default") }
    do throws(CaptureError) {
      try work.start { PipeWireCapture(source: self, work, sink: sink) }
    } catch {
      self.work.withLock { if $0 === work { $0 = nil } }
      throw error
    }
  }

  /// Ends the capture.
  public func stop() {
    let present = work.withLock { work in
      defer { work = nil }
      return work
    }
    present?.stop()
  }
}
#endif
