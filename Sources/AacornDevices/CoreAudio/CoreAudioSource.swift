import AacornSystem

/// Captures from a microphone through Core Audio.
///
/// `start` waits for the user's answer if microphone access has never been requested, so do not
/// call it on an app's main thread.
final class CoreAudioSource: CaptureSource {
  private let hardware: any CoreAudioHardware
  private let request: CaptureRequest
  /// What the current or last run shares with its thread.
  private let run = Lock<(state: CoreAudioState, isRunning: Bool)>((CoreAudioState(), false))

  init(_ request: CaptureRequest, on hardware: any CoreAudioHardware) {
    self.request = request
    self.hardware = hardware
  }

  var device: CaptureDevice? { state.device }
  var failure: CaptureError? { state.failure }
  var remarks: [String] { state.remarks }
  var followsClock: Bool { true }

  private var state: CoreAudioState { run.withLock { $0.state } }

  func start(_ sink: CaptureSink) throws(CaptureError) {
    let state = CoreAudioState()
    let isFirst = run.withLock { run in
      if run.isRunning { return false }
      run = (state, true)
      return true
    }
    guard isFirst else { throw refusal("it is already running") }
    let (hardware, request) = (hardware, request)
    let hasBegun = System.startThread {
      CoreAudioControl(hardware, request, sink, state).run()
    }
    do throws(CaptureError) {
      if !hasBegun { throw refusal("the system has no threads left") }
      try state.waitForOpening()
    } catch {
      run.withLock { if $0.state === state { $0.isRunning = false } }
      throw error
    }
  }

  func stop() {
    let state = run.withLock { run -> CoreAudioState? in
      guard run.isRunning else { return nil }
      run.isRunning = false
      return run.state
    }
    state?.stop()
  }

  deinit {
    stop()
  }

  private func refusal(_ reason: String) -> CaptureError {
    .system(operation: "start", id: "the microphone", reason: reason)
  }
}
