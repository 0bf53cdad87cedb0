import AacornDevices
import AacornSystem

final class FailingSource: CaptureSource {
  let device: Device? = nil
  let failure: DeviceError? = nil
  let followsClock: Bool
  let diagnostics: [String] = []
  private let error: DeviceError

  init(_ error: DeviceError = .deviceBusy(id: "absent"), followsClock: Bool = false) {
    (self.error, self.followsClock) = (error, followsClock)
  }

  func start(_ sink: CaptureSink) throws(DeviceError) { throw error }
  func stop() {}
}

/// A device that opens, and optionally closes, only on request of the test.
final class SlowSource: CaptureSource {
  let base: HandFedSource
  private let state = Lock((isOpening: false, isClosing: false, stopCount: 0))
  private let opens = Semaphore()
  private let closes = Semaphore()
  private let isSlowToClose: Bool
  private let error: DeviceError?

  /// Creates a device that opens slowly, and then throws `error`, or that only closes slowly.
  init(_ base: HandFedSource, isSlowToClose: Bool = false, error: DeviceError? = nil) {
    self.base = base
    self.error = error
    self.isSlowToClose = isSlowToClose
    if isSlowToClose { opens.signal() }
  }

  convenience init(_ name: String = "slow", firstFrame: Int = 0) {
    self.init(HandFedSource(name, firstFrame: firstFrame))
  }

  var device: Device? { base.device }
  var failure: DeviceError? { nil }
  var followsClock: Bool { base.followsClock }
  var diagnostics: [String] { [] }
  var isOpening: Bool { state.withLock(\.isOpening) }
  var isClosing: Bool { state.withLock(\.isClosing) }
  var stopCount: Int { state.withLock(\.stopCount) }

  func open() { opens.signal() }
  func close() { closes.signal() }

  func start(_ sink: CaptureSink) throws(DeviceError) {
    state.withLock { $0.isOpening = true }
    while !opens.wait(milliseconds: 60_000) {}
    if let error { throw error }
    try base.start(sink)
  }

  func stop() {
    state.withLock { $0.isClosing = true }
    if isSlowToClose { while !closes.wait(milliseconds: 60_000) {} }
    base.stop()
    state.withLock { $0.stopCount += 1 }
  }
}
