#if os(Linux)
import AacornSystem

/// Captures through PipeWire's native interface.
///
/// A separate thread opens the stream, watches it and reopens it when the device or the server
/// returns; the samples arrive on PipeWire's data thread.
public final class PipeWireSource: CaptureSource {
  let request: CaptureRequest
  let runs: PipeWireRuns

  package init(
    _ request: CaptureRequest, remote: String? = nil, library: PipeWireLibrary = .system
  ) {
    self.request = request
    runs = PipeWireRuns(remote: remote, library)
  }

  /// The device in use, or the last one.
  public var device: Device? { runs.status.withLock(\.device) }

  /// Always nil: the source waits for an unavailable device or server.
  public var failure: CaptureError? { nil }

  /// Always true: block times are the monotonic clock's.
  public var followsClock: Bool { true }

  /// Diagnostics, such as a missing real-time priority.
  public var diagnostics: [String] { runs.status.withLock(\.diagnostics) }

  /// Opens the device and starts capturing; blocks and events go to `sink`.
  public func start(_ sink: CaptureSink) throws(CaptureError) {
    try runs.start(request.device.pinnedID ?? "default") { work in
      PipeWireCapture(source: self, work, sink: sink)
    }
  }

  /// Ends the capture.
  public func stop() {
    runs.stop()
  }
}
#endif
