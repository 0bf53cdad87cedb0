import AacornSystem

/// Captures from a microphone through Core Audio.
///
/// `start` waits for the user's response if microphone access has never been requested, so do not
/// call it on an app's main thread.
final class CoreAudioSource: CaptureSource, ThreadedDevice {
  private let hardware: any CoreAudioHardware
  private let request: CaptureRequest
  let thread = DeviceThread<CoreAudioState>()

  init(_ request: CaptureRequest, on hardware: any CoreAudioHardware) {
    self.request = request
    self.hardware = hardware
  }

  var followsClock: Bool { true }

  func start(_ sink: CaptureSink) throws(DeviceError) {
    let (hardware, request) = (hardware, request)
    let title = "the microphone"
    try thread.start(title, CoreAudioState(title)) { state in
      CoreAudioControl(CoreAudioCapture(hardware, request, sink, state), state).run()
    }
  }

  func resume() {
    thread.run?.mailbox.post(.resume)
  }
}

/// The work of a capturing source, called by its ``CoreAudioControl``: opens units that fill the
/// sink.
final class CoreAudioCapture: CoreAudioWork {
  private let hardware: any CoreAudioHardware
  private let request: CaptureRequest
  private let sink: CaptureSink
  private let state: CoreAudioState

  init(
    _ hardware: any CoreAudioHardware, _ request: CaptureRequest, _ sink: CaptureSink,
    _ state: CoreAudioState
  ) {
    self.hardware = hardware
    self.request = request
    self.sink = sink
    self.state = state
  }

  var isPermitted: Bool? { hardware.isPermitted }

  var maxInterruptionDuration: Duration? { hardware.maxInterruptionDuration }

  func requestPermission(_ answer: @escaping @Sendable (Bool) -> Void) {
    hardware.requestPermission(answer)
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
    let order = CoreAudioOrder(
      request: request, route: route, neededFrameCount: neededFrameCount, mailbox: state.mailbox)
    return try hardware.open(order) { format in
      CoreAudioFeed(format, sink: sink, gate: state.gate, events: events)
    }
  }

  func report(_ event: DeviceEvent) {
    // After an abandoned stop, the sink belongs to its owner alone.
    if state.gate.isOpen { sink.notify(event, time: System.nanoseconds) }
  }
}
