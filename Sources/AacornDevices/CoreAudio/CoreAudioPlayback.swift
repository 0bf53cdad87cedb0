/// The work of a target, called by its ``CoreAudioControl``: opens units that play the feed.
final class CoreAudioPlayback: CoreAudioWork {
  private let hardware: any CoreAudioPlaybackHardware
  private let request: PlaybackRequest
  private let feed: PlaybackFeed
  private let state: CoreAudioState

  init(
    _ hardware: any CoreAudioPlaybackHardware, _ request: PlaybackRequest, _ feed: PlaybackFeed,
    _ state: CoreAudioState
  ) {
    self.hardware = hardware
    self.request = request
    self.feed = feed
    self.state = state
  }

  /// Always true: every program may play.
  var isPermitted: Bool? { true }

  /// Always nil: unlike an interrupted recording, interrupted playback makes no file grow.
  var maxInterruptionDuration: Duration? { nil }

  func requestPermission(_ answer: @escaping @Sendable (Bool) -> Void) {
    answer(true)
  }

  func observe(_ post: @escaping @Sendable (CoreAudioEvent) -> Void) -> any CoreAudioObservation {
    hardware.observe(post)
  }

  func activate() throws(DeviceError) -> [String] { try hardware.activate(request) }

  func deactivate() {
    hardware.deactivate()
  }

  func route() throws(DeviceError) -> CoreAudioRoute {
    try hardware.route(for: request)
  }

  func open(
    _ route: CoreAudioRoute, neededFrameCount: Int,
    announcing events: [DeviceEvent]
  ) throws(DeviceError) -> any CoreAudioStream {
    let order = CoreAudioPlaybackOrder(
      request: request, format: feed.format, route: route, mailbox: state.mailbox)
    return try hardware.open(order) { channelCount, unitLatency in
      CoreAudioFeedRenderer(
        feed,
        to: CoreAudioChannels(
          of: feed.format, to: channelCount, route.layout, stereoPair: route.stereoPair),
        latency: route.latency + unitLatency, lead: route.lead, gate: state.gate, events: events)
    }
  }

  func report(_ event: DeviceEvent) {
    feed.notify(event)
  }
}
