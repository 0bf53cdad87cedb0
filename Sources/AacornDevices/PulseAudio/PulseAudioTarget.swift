#if os(Linux)
import AacornSystem

/// Plays through a PulseAudio server, or PipeWire's PulseAudio server.
///
/// If no device is chosen, the server moves the stream whenever the default sink changes. The
/// stream stays on a chosen device; while the device is unavailable, the target waits for it.
public final class PulseAudioTarget: PlaybackTarget, ThreadedDevice {
  private let request: PlaybackRequest
  private let server: String?
  private let library: PulseLibrary
  let thread = DeviceThread<PulseLoop>()

  /// Creates a target for `request` on `server`; nil means the server in the user's settings.
  package init(
    _ request: PlaybackRequest, server: String? = nil, _ library: PulseLibrary? = nil
  ) throws(DeviceError) {
    self.request = request
    self.server = server
    self.library = try PulseLibrary(library)
  }

  /// Returns the format of the sink.
  public func preferredFormat() throws(DeviceError) -> PlaybackFormat {
    let deadline = PulseConnection.deadline
    let loop = try PulseLoop(library)
    let connection = try PulseConnection(
      loop, applicationName: request.applicationName, server: server, mayStartServer: true,
      until: deadline)
    return
      try connection
      .device(chosen: chosenName, for: .playback, until: deadline).playbackFormat
  }

  private var chosenName: String? { request.device.pinnedID }

  /// Opens the device and starts playing.
  public func start(_ feed: PlaybackFeed) throws(DeviceError) {
    let (request, server) = (request, server)
    try PulseFormat.check(
      rate: feed.format.sampleRate, channels: feed.format.channelCount, of: chosenName)
    try thread.start(chosenName ?? "default", PulseLoop(library)) { loop in
      PulseAudioPlayback(request, server: server, loop, from: feed).run()
    }
  }
}

/// The work of a target's thread.
final class PulseAudioPlayback: PulseAudioWorker {
  let server: String?
  let loop: PulseLoop
  var connection: PulseConnection?
  private(set) var stream: PulsePlaybackStream?

  private let request: PlaybackRequest
  private let feed: PlaybackFeed

  init(
    _ request: PlaybackRequest, server: String?, _ loop: PulseLoop, from feed: PlaybackFeed
  ) {
    self.request = request
    self.server = server
    self.loop = loop
    self.feed = feed
  }

  var applicationName: String { request.applicationName }

  var chosenName: String? { request.device.pinnedID }

  // MARK: Opening

  func open(
    _ connection: PulseConnection, isFirst: Bool, until deadline: Int64
  ) throws(DeviceError) {
    var sink = try connection.device(chosen: chosenName, for: .playback, until: deadline)
    let target = PulseStream.Target(
      deviceName: chosenName, format: PulseFormat(feed.format, loop.library),
      delay: request.latency)
    let stream = try explaining { () throws(PulseFailure) in
      try PulsePlaybackStream(connection, target, from: feed, until: deadline)
    }
    let actual = try? connection.device(at: stream.deviceIndex, for: .playback, until: deadline)
    sink = actual ?? sink
    status.device = sink.device(isDefault: chosenName == nil)
    self.stream = stream
    if !isFirst { loop.gate.perform { feed.notify(.deviceReturned) } }
    stream.flow()
  }

  // MARK: Following

  func queryDevice(
    _ connection: PulseConnection, at index: UInt32, until deadline: Int64
  ) throws(PulseFailure) {
    let sink = try connection.device(at: index, for: .playback, until: deadline)
    status.device = sink.device(isDefault: chosenName == nil)
  }

  func reportLoss() { loop.gate.perform { feed.notify(.deviceLost) } }

  // MARK: Ending

  /// Has no effect: frames that have not been played are dropped.
  func finish() {}

  func releaseStream() { stream = nil }
}
#endif
