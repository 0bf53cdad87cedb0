import AacornSystem

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
    sink.notify(event, time: System.nanoseconds)
  }
}
