#if os(Linux)
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
    var sink = try connection.sink(chosen: chosenName, until: deadline)
    let target = PulseStream.Target(
      deviceName: chosenName, format: PulseFormat(feed.format, loop.library),
      delay: request.latency)
    let stream = try explaining { () throws(PulseFailure) in
      try PulsePlaybackStream(connection, target, from: feed, until: deadline)
    }
    if let actual = try? connection.sink(at: stream.deviceIndex, until: deadline) { sink = actual }
    status.device = sink.device(isDefault: chosenName == nil)
    self.stream = stream
    if !isFirst { loop.gate.perform { feed.notify(.deviceReturned) } }
    stream.flow()
  }

  // MARK: Following

  func queryDevice(
    _ connection: PulseConnection, at index: UInt32, until deadline: Int64
  ) throws(PulseFailure) {
    let sink = try connection.sink(at: index, until: deadline)
    status.device = sink.device(isDefault: chosenName == nil)
  }

  func reportLoss() { loop.gate.perform { feed.notify(.deviceLost) } }

  // MARK: Ending

  /// Has no effect: frames that have not been played are dropped.
  func finish() {}

  func releaseStream() { stream = nil }
}

extension PulseConnection {
  /// Returns the sink of that name, or the default one.
  func sink(chosen name: String?, until deadline: Int64) throws(DeviceError) -> PulseSinkInfo {
    do {
      if let name { return try sink(named: name, until: deadline) }
      if let name = try serverInfo(until: deadline).defaultSink,
        let found = try? sink(named: name, until: deadline)
      {
        return found
      }
    } catch {
      throw error.deviceError("open", name ?? "default", loop.library)
    }
    throw .noDevice(for: .playback, backend: .pulseAudio)
  }
}
#endif
