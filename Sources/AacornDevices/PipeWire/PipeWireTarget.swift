#if os(Linux)
import AacornSignal
import AacornSystem
import CAacornPipeWire

/// Plays through PipeWire's native interface.
///
/// A separate thread opens the stream, watches it and reopens it when the device or the server
/// returns; PipeWire's data thread reads the samples.
public final class PipeWireTarget: PlaybackTarget {
  private let request: PlaybackRequest
  private let remote: String?
  private let library: PipeWireLibrary
  private let thread = DeviceThread<PipeWireWorker>()

  /// Creates a target for the server at a socket, or for the default server.
  package init(
    _ request: PlaybackRequest, remote: String? = nil, library: PipeWireLibrary = .system
  ) {
    self.request = request
    self.remote = remote
    self.library = library
  }

  deinit {
    stop()
  }

  /// The device in use, or the last one.
  public var device: Device? { thread.status?.device }

  /// Always nil: the target waits for an unavailable device or server.
  public var failure: DeviceError? { nil }

  /// Diagnostics, such as a missing real-time priority.
  public var diagnostics: [String] { thread.status?.diagnostics ?? [] }

  /// The id of the only device to play on; nil follows the default.
  private var pinnedID: String? { request.device.pinnedID }

  /// Returns the rate and channels of the device; the server converts other formats.
  public func preferredFormat() throws(DeviceError) -> PlaybackFormat {
    let graph = try PipeWireSystem.graph(remote, library)
    let node: PipeWireNode
    if let pinnedID {
      guard let pinned = graph.node(forDevice: pinnedID, .playback) else {
        throw .unknownDevice(id: pinnedID, backend: .pipeWire)
      }
      node = pinned
    } else {
      guard let sink = graph.defaultNode(for: .playback) else {
        throw .noDevice(for: .playback, backend: .pipeWire)
      }
      node = sink
    }
    let device = graph.device(of: node, for: .playback)
    let channelCount = device.channelCount > 0 ? device.channelCount : 2
    let layout = PipeWirePositions.layout(of: node.positions)
    return PlaybackFormat(
      sampleRate: device.sampleRate > 0 ? device.sampleRate : 48000, channelCount: channelCount,
      layout: layout?.speakers.count == channelCount ? layout : nil)
  }

  /// Opens the device for the feed's format, and begins to play.
  public func start(_ feed: PlaybackFeed) throws(DeviceError) {
    if feed.format.channelCount > Int(AACORN_PW_CHANNEL_LIMIT) {
      throw .unsupportedFormat(
        id: pinnedID ?? "default",
        reason: "PipeWire supports at most \(AACORN_PW_CHANNEL_LIMIT) channels")
    }
    let request = request
    let work = PipeWireWorker(remote: remote, library)
    try thread.start(pinnedID ?? "default", work) { work in
      work.run(PipeWirePlayback(request, feed, work))
    }
  }

  /// Ends the playback immediately.
  public func stop() {
    thread.stop()
  }
}
#endif
