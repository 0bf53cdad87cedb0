#if os(Linux)
import AacornSystem

/// Plays through a PulseAudio server, or PipeWire's PulseAudio server.
///
/// If no device is chosen, the server moves the stream whenever the default sink changes. The
/// stream stays on a chosen device; while the device is unavailable, the target waits for it.
public final class PulseAudioTarget: PlaybackTarget {
  private let request: PlaybackRequest
  private let server: String?
  private let library: PulseLibrary
  private let thread = DeviceThread<PulseLoop>()

  /// Creates a target for `request` on `server`; nil means the server in the user's settings.
  package convenience init(
    _ request: PlaybackRequest, server: String? = nil
  ) throws(DeviceError) {
    self.init(request, server: server, try PulseLibrary.load())
  }

  init(_ request: PlaybackRequest, server: String?, _ library: PulseLibrary) {
    self.request = request
    self.server = server
    self.library = library
  }

  deinit {
    stop()
  }

  /// The sink in use, or the last one.
  public var device: Device? { thread.status?.device }

  /// Always nil: this target continues until it is stopped.
  public var failure: DeviceError? { nil }

  /// Diagnostics, such as a missing real-time priority.
  public var diagnostics: [String] { thread.status?.diagnostics ?? [] }

  /// Returns the format of the sink.
  public func preferredFormat() throws(DeviceError) -> PlaybackFormat {
    let deadline = System.nanoseconds + 5_000_000_000
    let loop = try PulseLoop(library)
    let connection = try PulseConnection(
      loop, applicationName: request.applicationName, server: server, mayStartServer: true,
      until: deadline)
    return try connection.sink(chosen: chosenName, until: deadline).playbackFormat
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

  /// Ends the playback immediately; frames that have not been played are dropped.
  public func stop() { thread.stop() }
}
#endif
