/// Captures from a microphone through Core Audio.
///
/// `start` waits for the user's response if microphone access has never been requested, so do not
/// call it on an app's main thread.
final class CoreAudioSource: CaptureSource {
  private let hardware: any CoreAudioHardware
  private let request: CaptureRequest
  private let runs = CoreAudioRuns("the microphone")

  init(_ request: CaptureRequest, on hardware: any CoreAudioHardware) {
    self.request = request
    self.hardware = hardware
  }

  var device: Device? { runs.state.device }
  var failure: DeviceError? { runs.state.failure }
  var diagnostics: [String] { runs.state.diagnostics }
  var followsClock: Bool { true }

  func start(_ sink: CaptureSink) throws(DeviceError) {
    let (hardware, request) = (hardware, request)
    try runs.start { state in
      CoreAudioControl(CoreAudioCapture(hardware, request, sink, state), state).run()
    }
  }

  func resume() {
    runs.state.resume()
  }

  func stop() {
    runs.stop()
  }

  deinit {
    stop()
  }
}
