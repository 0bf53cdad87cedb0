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

extension PulseConnection {
  /// Returns the sink of that name, or the default one.
  func sink(chosen name: String?, until deadline: Int64) throws(DeviceError) -> PulseDeviceInfo {
    do {
      if let name { return try device(named: name, for: .playback, until: deadline) }
      if let name = try defaultName(for: .playback, until: deadline),
        let found = try? device(named: name, for: .playback, until: deadline)
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
