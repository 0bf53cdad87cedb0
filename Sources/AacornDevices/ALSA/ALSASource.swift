#if os(Linux)
/// Captures from an ALSA device: a card, or a plug-in that represents one.
public final class ALSASource: CaptureSource {
  private let request: CaptureRequest
  private let maxSilenceNanoseconds: Int64
  private let id: String
  /// The library to use; nil for alsa-lib.
  private let library: ALSALibrary?
  private let thread = DeviceThread<ALSASession>()

  /// Creates a source for a request without opening a device.
  public convenience init(_ request: CaptureRequest) throws(DeviceError) {
    try self.init(request, library: nil)
  }

  /// Creates a source that uses `library`, or alsa-lib if it is nil.
  ///
  /// `maxSilenceNanoseconds` is the time after which a silent device is considered dead.
  init(
    _ request: CaptureRequest, library: ALSALibrary?, maxSilenceNanoseconds: Int64 = 5_000_000_000
  ) throws(DeviceError) {
    if request.isVoiceProcessed {
      throw .noVoiceProcessing(reason: "ALSA has no echo cancellation; a sound server may have it")
    }
    self.request = request
    self.maxSilenceNanoseconds = maxSilenceNanoseconds
    id = request.device.pinnedID ?? "default"
    self.library = library
  }

  deinit {
    stop()
  }

  /// The device in use, or the last one.
  public var device: Device? { thread.status?.device }

  /// Always nil, since a missing device may always return.
  public var failure: DeviceError? { nil }

  /// Always true: a device without a clock is read in real time.
  public var followsClock: Bool { true }

  /// Peculiarities of the devices that were opened.
  public var diagnostics: [String] { thread.status?.diagnostics ?? [] }

  /// Opens the device and starts capturing; throws if it cannot be opened.
  public func start(_ sink: CaptureSink) throws(DeviceError) {
    let (request, maxSilenceNanoseconds) = (request, maxSilenceNanoseconds)
    try thread.start(id, ALSASession(id, library)) { session in
      ALSACapture(session, sink, request, maxSilenceNanoseconds: maxSilenceNanoseconds).run()
    }
  }

  /// Ends the capture after delivering the frames captured until now.
  ///
  /// If the library hangs, it returns without the last samples: within a second, or half a second
  /// after a longer period of the device.
  public func stop() {
    thread.stop()
  }
}
#endif
