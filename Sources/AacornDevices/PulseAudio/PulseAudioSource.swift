#if os(Linux)
/// Captures from a PulseAudio server, or from PipeWire's PulseAudio server.
///
/// If no device is chosen, the server moves the stream whenever the default source changes. But if
/// the default was a real input, the monitor of an output does not replace it: the source waits
/// until an input is available again. The stream stays on a chosen device; while the device is
/// unavailable, the source waits for it. Voice processing keeps the microphone that was the default
/// at the start.
public final class PulseAudioSource: CaptureSource {
  private let request: CaptureRequest
  private let server: String?
  private let library: PulseLibrary
  private let thread = DeviceThread<PulseLoop>()

  /// Creates a source for `request` on `server`; nil means the server in the user's settings.
  package convenience init(_ request: CaptureRequest, server: String? = nil) throws(DeviceError) {
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
  public var device: Device? { thread.status?.device }

  /// Always nil: this source continues until it is stopped.
  public var failure: DeviceError? { nil }

  /// Always true: times are the monotonic clock's.
  public var followsClock: Bool { true }

  /// Diagnostics, such as a missing real-time priority.
  public var diagnostics: [String] { thread.status?.diagnostics ?? [] }

  /// Opens the device and starts capturing.
  public func start(_ sink: CaptureSink) throws(DeviceError) {
    try PulseFormat.check(
      rate: request.sampleRate, channels: request.channelCount, of: request.device.pinnedID)
    let (request, server) = (request, server)
    try thread.start(request.device.pinnedID ?? "default", PulseLoop(library)) { loop in
      PulseAudioCapture(request, server: server, loop, into: sink).run()
    }
  }

  /// Ends the capture; all samples captured before are in the sink when it returns.
  public func stop() { thread.stop() }
}
#endif
