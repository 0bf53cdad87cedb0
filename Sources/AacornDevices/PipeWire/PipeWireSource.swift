#if os(Linux)
import AacornSystem

/// Captures through PipeWire's native interface.
///
/// A separate thread opens the stream, watches it and reopens it when the device or the server
/// returns; the samples arrive on PipeWire's data thread.
public final class PipeWireSource: CaptureSource {
  private let request: CaptureRequest
  private let remote: String?
  private let library: PipeWireLibrary
  private let thread = DeviceThread<PipeWireWorker>()

  package init(
    _ request: CaptureRequest, remote: String? = nil, library: PipeWireLibrary = .system
  ) {
    self.request = request
    self.remote = remote
    self.library = library
  }

  deinit { stop() }

  /// The device in use, or the last one.
  public var device: Device? { thread.status?.device }

  /// Always nil: the source waits for an unavailable device or server.
  public var failure: DeviceError? { nil }

  /// Always true: block times are the monotonic clock's.
  public var followsClock: Bool { true }

  /// Diagnostics, such as a missing real-time priority.
  public var diagnostics: [String] { thread.status?.diagnostics ?? [] }

  /// Opens the device and starts capturing; blocks and events go to `sink`.
  public func start(_ sink: CaptureSink) throws(DeviceError) {
    let work = PipeWireWorker(remote: remote, library)
    try thread.start(request.device.pinnedID ?? "default", work) { [request] work in
      work.run(PipeWireCapture(request, work, sink: sink))
    }
  }

  /// Ends the capture.
  public func stop() {
    thread.stop()
  }
}
#endif
