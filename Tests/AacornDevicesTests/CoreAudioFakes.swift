import AacornSystem
import SoundRigs
import Testing

@testable import AacornDevices

/// Fake audio hardware that a test controls.
final class FakeHardware: CoreAudioCaptureHardware {
  struct Content {
    var isPermitted: Bool? = true
    var device: Device? = FakeHardware.microphone
    var openError: DeviceError?
    var activateError: DeviceError?
    var startError: DeviceError?
    var maxInterruptionDuration: Duration?
    var post: (@Sendable (CoreAudioEvent) -> Void)?
    var log: [String] = []
    /// The number of open units, at most one.
    var openCount = 0
    /// Called when a unit is closed.
    var onClose: (@Sendable () -> Void)?
  }

  static let microphone = Device(
    backend: .coreAudio, id: "mic", name: "Microphone", channelCount: 2, sampleRate: 48_000)
  static let headset = Device(
    backend: .coreAudio, id: "headset", name: "Headset", channelCount: 1, sampleRate: 16_000)

  private let content = Lock(Content())
  /// Signaled when the user is asked for the permission.
  let asked = Semaphore()

  /// The current state.
  var value: Content { content.withLock { $0 } }

  func change<Result: Sendable>(_ body: (inout Content) -> Result) -> Result {
    content.withLock { body(&$0) }
  }

  /// Sends an event to the source, as the system would.
  func post(_ event: CoreAudioEvent) {
    value.post?(event)
  }

  /// The number of times that the source has activated the session.
  var activationCount: Int { log.filter { $0 == "activate" }.count }

  /// Waits for activation `number`.
  func waitForActivation(_ number: Int) {
    #expect(eventually { activationCount >= number }, "The source tries to get the sound.")
  }

  var log: [String] { value.log }

  var isPermitted: Bool? { value.isPermitted }

  var maxInterruptionDuration: Duration? { value.maxInterruptionDuration }

  func requestPermission(_ answer: @escaping @Sendable (Bool) -> Void) {
    asked.signal()
  }

  func observe(_ post: @escaping @Sendable (CoreAudioEvent) -> Void) -> any CoreAudioObservation {
    change { $0.post = post }
    return FakeObservation { [self] in
      change {
        $0.log.append("unobserve")
        $0.post = nil
      }
    }
  }

  func activate() throws(DeviceError) -> [String] {
    let error = change { content in
      content.log.append("activate")
      return content.activateError
    }
    if let error { throw error }
    return ["a remark"]
  }

  func deactivate() {
    change { $0.log.append("deactivate") }
  }

  func route() throws(DeviceError) -> CoreAudioRoute {
    guard let device = value.device else { throw .noDevice(for: .capture, backend: .coreAudio) }
    return CoreAudioRoute(device: device)
  }

  func open(
    _ order: CoreAudioOrder, _ makeFeed: (CoreAudioFormat) -> CoreAudioFeed
  ) throws(DeviceError) -> any CoreAudioStream {
    if let error = value.openError { throw error }
    let device = order.route.device
    let format = CoreAudioFormat(
      hardwareRate: Double(device.sampleRate), hardwareChannelCount: device.channelCount,
      wantedChannelCount: nil, isVoiceProcessed: false)
    guard let format else { throw .unsupportedFormat(id: device.id, reason: "none") }
    change {
      $0.log.append("open \(device.id)")
      $0.openCount += 1
    }
    return FakeStream(self, makeFeed(format), format)
  }
}

/// An observation that calls a function at its end.
final class FakeObservation: CoreAudioObservation {
  private let onEnd: @Sendable () -> Void

  init(_ onEnd: @escaping @Sendable () -> Void) {
    self.onEnd = onEnd
  }

  func end() { onEnd() }
}

/// A unit that delivers one block of its samples when it starts.
private final class FakeStream: CoreAudioStream {
  let feed: CoreAudioFeed
  let diagnostics: [String] = []
  private let hardware: FakeHardware
  private let format: CoreAudioFormat
  private var isOpen = true

  init(_ hardware: FakeHardware, _ feed: CoreAudioFeed, _ format: CoreAudioFormat) {
    self.hardware = hardware
    self.feed = feed
    self.format = format
  }

  func start() throws(DeviceError) {
    if let error = hardware.value.startError { throw error }
    let samples = [Float](repeating: 0.25, count: 480 * format.channelCount)
    unsafe samples.withUnsafeBytes { bytes in
      guard let start = bytes.baseAddress else { return }
      unsafe feed.take(start, frameCount: 480, of: 480, count: 0, time: System.nanoseconds)
    }
  }

  func close() {
    guard isOpen else { return }
    isOpen = false
    let onClose = hardware.change { content in
      content.log.append("close")
      content.openCount -= 1
      return content.onClose
    }
    onClose?()
  }
}
