#if os(macOS) && canImport(AudioToolbox)
import CoreAudio

/// A Mac's audio hardware, where a program may open any device.
struct CoreAudioMachine: CoreAudioHardware {
  /// Keeps the listeners of `watchDevices`.
  private final class Watch: Sendable {
    let listeners: [CoreAudioListener]

    init(_ change: @escaping @Sendable () -> Void) {
      listeners = [kAudioHardwarePropertyDefaultInputDevice, kAudioHardwarePropertyDevices]
        .compactMap { CoreAudioListener(.system, $0, kAudioObjectPropertyScopeGlobal, change) }
    }
  }

  private let devices = CoreAudioDevices(direction: .capture)

  var isPermitted: Bool? { CoreAudioPermission.isGranted }

  /// Nil: on a Mac nothing takes the sound away from others.
  var longestInterruption: Duration? { nil }

  func requestPermission(_ answer: @escaping @Sendable (Bool) -> Void) {
    CoreAudioPermission.request(answer)
  }

  /// Calls `change` whenever devices or the default change, until the result is released.
  static func watchDevices(_ change: @escaping @Sendable () -> Void) -> any Sendable & AnyObject {
    Watch(change)
  }

  func observe(_ post: @escaping @Sendable (CoreAudioEvent) -> Void) -> any CoreAudioObservation {
    CoreAudioListeners(.capture, post)
  }

  func activate(_ request: CaptureRequest) throws(CaptureError) -> [String] { [] }

  func deactivate() {}

  func route(for request: CaptureRequest) throws(CaptureError) -> CoreAudioRoute<CaptureDevice> {
    let id: String? =
      switch request.device {
      case .followingDefault: nil
      case .pinned(let id): id
      }
    var (object, device) = try devices.look(for: id)
    // Voice processing shows all capsules of a microphone while it runs, and delivers one channel:
    // otherwise it would be a change of route each time.
    if request.isVoiceProcessed { device.channelCount = 1 }
    return CoreAudioRoute(
      device: device.captureDevice,
      latency: devices.latency(of: object).afterTimestamp(sampleRate: device.sampleRate))
  }

  func open(
    _ order: CoreAudioOrder, _ makeFeed: (CoreAudioFormat) -> CoreAudioFeed
  ) throws(CaptureError) -> any CoreAudioStream {
    // The route's device, even if the default has changed since.
    let object = try devices.find(order.route.device.id)
    devices.requestBlocks(
      order.request.blockDuration, of: object, sampleRate: order.route.device.sampleRate)
    let mailbox = order.mailbox
    let selectors: [(AudioObjectPropertySelector, AudioObjectPropertyScope)] = [
      (kAudioDevicePropertyDeviceIsAlive, kAudioObjectPropertyScopeGlobal),
      (kAudioDevicePropertyNominalSampleRate, kAudioObjectPropertyScopeGlobal),
      (kAudioDevicePropertyStreamConfiguration, kAudioObjectPropertyScopeInput),
    ]
    let listeners = selectors.compactMap { selector, scope in
      CoreAudioListener(object, selector, scope) { mailbox.post(.routeChanged(.configuration)) }
    }
    return try CoreAudioUnit(order, device: object.number, companions: listeners, makeFeed)
  }
}
#endif
