import AacornSystem

/// Captures from a microphone through Core Audio.
///
/// `start` waits for the user's response if microphone access has never been requested, so do not
/// call it on an app's main thread.
final class CoreAudioSource: CaptureSource, ThreadedDevice {
  private let hardware: any CoreAudioCaptureHardware
  let thread = DeviceThread<CoreAudioState>()

  init(on hardware: any CoreAudioCaptureHardware) {
    self.hardware = hardware
  }

  var followsClock: Bool { true }

  func start(_ sink: CaptureSink) throws(DeviceError) {
    let title = "the microphone"
    try thread.start(title, CoreAudioState(title)) { [hardware] state in
      CoreAudioControl(hardware, CoreAudioCapture(hardware, sink, state), state).run()
    }
  }

  func resume() {
    thread.run?.mailbox.post(.resume)
  }
}

/// The work of a capturing source, called by its ``CoreAudioControl``: opens units that fill the
/// sink.
final class CoreAudioCapture: CoreAudioWork {
  private let hardware: any CoreAudioCaptureHardware
  private let sink: CaptureSink
  private let state: CoreAudioState

  init(
    _ hardware: any CoreAudioCaptureHardware, _ sink: CaptureSink, _ state: CoreAudioState
  ) {
    self.hardware = hardware
    self.sink = sink
    self.state = state
  }

  func open(
    _ route: CoreAudioRoute, neededFrameCount: Int,
    announcing events: [DeviceEvent]
  ) throws(DeviceError) -> any CoreAudioStream {
    let order = CoreAudioOrder(
      route: route, neededFrameCount: neededFrameCount, mailbox: state.mailbox)
    return try hardware.open(order) { format in
      CoreAudioFeed(format, sink: sink, gate: state.gate, events: events)
    }
  }

  func report(_ event: DeviceEvent) {
    // After an abandoned stop, the sink belongs to its owner alone.
    if state.gate.isOpen { sink.notify(event, time: System.nanoseconds) }
  }
}
