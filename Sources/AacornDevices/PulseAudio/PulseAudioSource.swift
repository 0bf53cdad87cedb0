#if os(Linux)
import AacornSystem
import CAacornPulseAudio

/// Captures from a PulseAudio server, or from PipeWire's PulseAudio server.
///
/// If no device is chosen, the server moves the stream whenever the default source changes. But if
/// the default was a real input, the monitor of an output does not replace it: the source waits
/// until an input is available again. The stream stays on a chosen device; while the device is
/// unavailable, the source waits for it. Voice processing keeps the microphone that was the default
/// at the start.
public final class PulseAudioSource: CaptureSource, ThreadedDevice {
  private let request: CaptureRequest
  private let server: String?
  private let library: PulseLibrary
  let thread = DeviceThread<PulseLoop>()

  /// Creates a source for `request` on `server`; nil means the server in the user's settings.
  package init(
    _ request: CaptureRequest, server: String? = nil, _ library: PulseLibrary? = nil
  ) throws(DeviceError) {
    self.request = request
    self.server = server
    self.library = try PulseLibrary(library)
  }

  /// Always true: times are the monotonic clock's.
  public var followsClock: Bool { true }

  /// Opens the device and starts capturing.
  public func start(_ sink: CaptureSink) throws(DeviceError) {
    try PulseFormat.check(
      rate: request.sampleRate, channels: request.channelCount, of: request.device.pinnedID)
    let (request, server) = (request, server)
    try thread.start(request.device.pinnedID ?? "default", PulseLoop(library)) { loop in
      PulseAudioCapture(request, server: server, loop, into: sink).run()
    }
  }
}

/// The work of a source's thread.
final class PulseAudioCapture: PulseAudioWorker {
  let server: String?
  let loop: PulseLoop
  var connection: PulseConnection?
  private(set) var stream: PulseCaptureStream?

  private let request: CaptureRequest
  private let sink: CaptureSink
  private var voice: PulseVoiceProcessing?
  /// Whether the stream has captured from a real input, not from an output's monitor, as the
  /// default device.
  private var hasUsedInput = false
  /// The first rate and channel count, which stay in use because the server also keeps them when it
  /// moves the stream.
  private var rate: Int?
  private var channelCount: Int?

  init(
    _ request: CaptureRequest, server: String?, _ loop: PulseLoop, into sink: CaptureSink
  ) {
    self.request = request
    self.server = server
    self.loop = loop
    self.sink = sink
    rate = request.sampleRate
    channelCount = request.channelCount
  }

  var applicationName: String { request.applicationName }

  var chosenName: String? { request.device.pinnedID }

  // MARK: Opening

  func open(
    _ connection: PulseConnection, isFirst: Bool, until deadline: Int64
  ) throws(DeviceError) {
    var source = try findSource(connection, until: deadline)
    var isPinned = chosenName != nil
    if request.isVoiceProcessed {
      let voice = try PulseVoiceProcessing(
        for: source, isChosen: isPinned, connection, until: deadline)
      self.voice = voice
      status.addDiagnostic(voice.diagnostic)
      source = voice.source
      // Pin the stream to the filtered source: otherwise the server would move it to a microphone,
      // which captures the echo.
      isPinned = true
    }
    let target = PulseStream.Target(
      deviceName: isPinned ? source.name : nil,
      format: PulseFormat(source, rate: rate, channels: channelCount, loop.library),
      delay: request.blockDuration)
    let stream = try explaining { () throws(PulseFailure) in
      try PulseCaptureStream(connection, target, into: sink, until: deadline)
    }
    if !isPinned,
      let actual = try? connection.device(at: stream.deviceIndex, for: .capture, until: deadline)
    {
      source = actual
      if isFallbackMonitor(source, connection, until: deadline) {
        throw .noDevice(for: .capture, backend: .pulseAudio)
      }
    }
    rate = target.format.rate
    channelCount = target.format.positions.count
    status.device = source.device(isDefault: !isPinned)
    hasUsedInput = hasUsedInput || !source.isMonitor
    self.stream = stream
    if !isFirst { loop.gate.perform { sink.notify(.deviceReturned, time: System.nanoseconds) } }
    stream.flow()
  }

  private func findSource(
    _ connection: PulseConnection, until deadline: Int64
  ) throws(DeviceError) -> PulseDeviceInfo {
    let source = try connection.device(chosen: chosenName, for: .capture, until: deadline)
    if isFallbackMonitor(source, connection, until: deadline) {
      throw .noDevice(for: .capture, backend: .pulseAudio)
    }
    return source
  }

  /// Whether a source is an output's monitor that the server uses in place of a disconnected
  /// default input.
  ///
  /// As long as real inputs exist, only a user makes a monitor the default input.
  private func isFallbackMonitor(
    _ source: PulseDeviceInfo, _ connection: PulseConnection, until deadline: Int64
  ) -> Bool {
    guard hasUsedInput, chosenName == nil, source.isMonitor,
      let sources = try? connection.devices(for: .capture, until: deadline)
    else { return false }
    return sources.allSatisfy(\.isMonitor)
  }

  // MARK: Following

  func queryDevice(
    _ connection: PulseConnection, at index: UInt32, until deadline: Int64
  ) throws(PulseFailure) {
    let source = try connection.device(at: index, for: .capture, until: deadline)
    if isFallbackMonitor(source, connection, until: deadline) { throw .unknown }
    status.device = source.device(isDefault: chosenName == nil)
    hasUsedInput = hasUsedInput || !source.isMonitor
  }

  func reportLoss() {
    loop.gate.perform { sink.notify(.deviceLost, time: System.nanoseconds) }
  }

  // MARK: Ending

  /// Delivers the frames captured before the requested end.
  ///
  /// They arrive after at most a block's length plus the device's delay.
  func finish() {
    guard let connection, let stream, stream.isGood else { return }
    let end = loop.endRequestTime
    connection.stopsWaitingAtEnd = false
    stream.isDraining = true
    stream.serve()
    guard !stream.isSilent(for: 500, now: end) else { return }
    _ = connection.wait(until: end + 300_000_000) {
      (stream.capturedUntil ?? .min) >= end || !stream.isGood
    }
  }

  func releaseStream() {
    stream = nil
    voice = nil
  }
}
#endif
