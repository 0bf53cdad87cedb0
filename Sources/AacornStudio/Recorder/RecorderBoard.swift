import AacornDevices
import AacornRecording
import AacornSystem

/// Where everything about the recorder is written down, by many threads, and looked up for pages.
final class RecorderBoard: Sendable {
  private let state = Lock(RecorderState())
  private let folder: String
  private let news: @Sendable () -> Void

  /// A board of an idle recorder; `news` is told of every change.
  init(folder: String, news: @escaping @Sendable () -> Void) {
    self.folder = folder
    self.news = news
  }

  /// The state as pages read it, on one line.
  var json: String { state.withLock { $0 }.json(folder: folder).encoded }

  var phase: RecorderState.Phase { state.withLock(\.phase) }
  var last: StudioRecording? { state.withLock(\.last) }
  var wish: RecordingWish { state.withLock(\.wish) }

  /// Changes something, and tells.
  func change(_ body: (inout RecorderState) -> Void) {
    state.withLock { body(&$0) }
    news()
  }

  /// Puts up a message.
  func add(_ message: StudioMessage) { change { $0.add(message) } }

  // MARK: - What happens

  /// Something happened to a recording.
  func take(_ event: RecorderEvent, sampleRate: Int) {
    if case .outputFailed = event { return }
    change { state in
      if let message = StudioMessage(event, sampleRate: sampleRate) { state.add(message) }
      switch event {
      case .started(let device, _): state.take(device)
      case .gap(let gap): state.add(gap)
      case .deviceLost, .suspended: state.current?.isDeviceLost = true
      case .deviceReturned(let device), .deviceChanged(let device):
        state.take(device)
        state.current?.isDeviceLost = false
      case .resumed: state.current?.isDeviceLost = false
      case .paused(let isPaused):
        if state.phase == .recording || state.phase == .paused {
          state.phase = isPaused ? .paused : .recording
        }
      case .muted(let isMuted): state.isMuted = isMuted
      default: break
      }
    }
  }

  /// Something happened to sound that is only listened to.
  func takeWhileListening(_ event: RecorderEvent) {
    if let message = StudioMessage(whileListening: event) { add(message) }
    if case .muted(let isMuted) = event { change { $0.isMuted = isMuted } }
  }

  /// How the device is doing, whatever was told of it: one may fall silent without a word.
  func take(_ status: RecordingStatus) {
    let isNew = state.withLock { state in
      guard state.current != nil, state.current?.isDeviceLost != status.isDeviceLost else {
        return false
      }
      state.current?.isDeviceLost = status.isDeviceLost
      return true
    }
    if isNew { news() }
  }
}

extension RecorderState {
  fileprivate mutating func take(_ device: CaptureDevice?) {
    if let device { current?.device = device }
  }
}
