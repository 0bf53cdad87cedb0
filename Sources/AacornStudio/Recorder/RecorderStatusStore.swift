import AacornDevices
import AacornRecording
import AacornSystem

/// The status of the recorder, written by many threads and read for pages.
final class RecorderStatusStore: Sendable {
  private let state = Lock(RecorderState())
  private let folder: String
  private let onChange: @Sendable () -> Void

  /// Creates the status of an idle recorder; `onChange` is called at every change.
  init(folder: String, onChange: @escaping @Sendable () -> Void) {
    self.folder = folder
    self.onChange = onChange
  }

  /// The state for pages, as JSON on one line.
  var json: String { state.withLock { $0 }.json(folder: folder).encoded }

  var phase: RecorderState.Phase { state.withLock(\.phase) }
  var last: StudioRecording? { state.withLock(\.last) }
  var request: RecordingRequest { state.withLock(\.request) }

  /// Changes the state, and notifies the observer.
  func change(_ body: (inout RecorderState) -> Void) {
    state.withLock { body(&$0) }
    onChange()
  }

  func add(_ message: StudioMessage) { change { $0.add(message) } }

  // MARK: - Events

  /// Applies an event of a recording to the state.
  func apply(_ event: RecorderEvent, sampleRate: Int) {
    if case .outputFailed = event { return }
    change { state in
      if let message = StudioMessage(event, sampleRate: sampleRate) { state.add(message) }
      switch event {
      case .started(let device, _): state.setDevice(device)
      case .gap(let gap): state.add(gap)
      case .deviceLost, .suspended: state.current?.isDeviceLost = true
      case .deviceReturned(let device), .deviceChanged(let device):
        state.setDevice(device)
        state.current?.isDeviceLost = false
      case .resumed: state.current?.isDeviceLost = false
      case .paused(let isPaused):
        if state.phase == .recording || state.phase == .paused {
          state.phase = isPaused ? .paused : .recording
        }
      case .muted(let isMuted): state.isMuted = isMuted
      case .monitor(.refused), .monitor(.stopped): state.isMonitored = false
      default: break
      }
    }
  }

  /// Applies an event of monitoring without a recording to the state.
  func applyMonitorEvent(_ event: RecorderEvent) {
    if let message = StudioMessage(whileListening: event) { add(message) }
    switch event {
    case .monitor(.refused), .monitor(.stopped): change { $0.isMonitored = false }
    default: break
    }
    if case .muted(let isMuted) = event { change { $0.isMuted = isMuted } }
  }

  /// Updates the device's state regardless of its events: a device may disconnect without reporting
  /// it.
  func apply(_ status: RecordingStatus) {
    let isNew = state.withLock { state in
      guard state.current != nil, state.current?.isDeviceLost != status.isDeviceLost else {
        return false
      }
      state.current?.isDeviceLost = status.isDeviceLost
      return true
    }
    if isNew { onChange() }
  }
}

extension RecorderState {
  fileprivate mutating func setDevice(_ device: Device?) {
    if let device { current?.device = device }
  }
}
