import AacornSignal

/// Plays through Core Audio.
///
/// If no device is chosen, the target follows the system's default. Otherwise it waits while the
/// chosen device is unavailable. The system converts the rate; this module mixes the channels.
final class CoreAudioTarget: PlaybackTarget, ThreadedDevice {
  private let hardware: any CoreAudioPlaybackHardware
  let thread = DeviceThread<CoreAudioState>()

  init(on hardware: any CoreAudioPlaybackHardware) {
    self.hardware = hardware
  }

  /// Returns the device's rate, and all of its channels if their layout is known, otherwise two.
  func preferredFormat() throws(DeviceError) -> PlaybackFormat {
    let route = try hardware.route()
    let device = route.device
    let sampleRate = device.sampleRate > 0 ? device.sampleRate : 48_000
    if let layout = route.layout, layout.speakers.count == device.channelCount {
      return PlaybackFormat(
        sampleRate: sampleRate, channelCount: device.channelCount, layout: layout)
    }
    return PlaybackFormat(sampleRate: sampleRate, channelCount: device.channelCount == 1 ? 1 : 2)
  }

  func start(_ feed: PlaybackFeed) throws(DeviceError) {
    try check(feed.format)
    let title = "the loudspeakers"
    try thread.start(title, CoreAudioState(title)) { [hardware] state in
      CoreAudioControl(hardware, CoreAudioPlayback(hardware, feed, state), state).run()
    }
  }

  func resume() {
    thread.run?.mailbox.post(.resume)
  }

  private func check(_ format: PlaybackFormat) throws(DeviceError) {
    let id = hardware.request.device.pinnedID ?? "default"
    if !(1...1_000_000).contains(format.sampleRate) {
      throw .unsupportedFormat(
        id: id, reason: "Core Audio does not support \(format.sampleRate) Hz")
    }
    if !(1...64).contains(format.channelCount) {
      throw .unsupportedFormat(id: id, reason: "Core Audio supports 1 to 64 channels")
    }
  }
}

/// The work of a target, called by its ``CoreAudioControl``: opens units that play the feed.
final class CoreAudioPlayback: CoreAudioWork {
  private let hardware: any CoreAudioPlaybackHardware
  private let feed: PlaybackFeed
  private let state: CoreAudioState

  init(
    _ hardware: any CoreAudioPlaybackHardware, _ feed: PlaybackFeed, _ state: CoreAudioState
  ) {
    self.hardware = hardware
    self.feed = feed
    self.state = state
  }

  func open(
    _ route: CoreAudioRoute, neededFrameCount: Int,
    announcing events: [DeviceEvent]
  ) throws(DeviceError) -> any CoreAudioStream {
    let order = CoreAudioPlaybackOrder(
      format: feed.format, route: route, mailbox: state.mailbox)
    return try hardware.open(order) { channelCount, unitLatency in
      CoreAudioFeedRenderer(
        feed,
        to: CoreAudioChannels(
          of: feed.format, to: channelCount, route.layout, stereoPair: route.stereoPair),
        latency: route.latency + unitLatency, lead: route.lead, gate: state.gate, events: events)
    }
  }

  func report(_ event: DeviceEvent) {
    // After an abandoned stop, the feed belongs to its owner alone.
    if state.gate.isOpen { feed.notify(event) }
  }
}
