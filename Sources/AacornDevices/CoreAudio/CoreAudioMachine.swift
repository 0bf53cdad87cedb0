#if os(macOS) && canImport(AudioToolbox)
import AacornSystem
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

  /// Keeps the listeners of a source.
  private final class Listeners: CoreAudioObservation {
    private var listeners: [CoreAudioListener]

    init(_ listeners: [CoreAudioListener]) {
      self.listeners = listeners
    }

    func end() {
      listeners.removeAll()
    }
  }

  var isPermitted: Bool? { CoreAudioPermission.isGranted }

  func requestPermission(_ answer: @escaping @Sendable (Bool) -> Void) {
    CoreAudioPermission.request(answer)
  }

  /// Calls `change` whenever devices or the default change, until the result is released.
  static func watchDevices(_ change: @escaping @Sendable () -> Void) -> any Sendable & AnyObject {
    Watch(change)
  }

  func observe(_ post: @escaping @Sendable (CoreAudioEvent) -> Void) -> any CoreAudioObservation {
    let system = CoreAudioObject.system
    return Listeners(
      [
        CoreAudioListener(system, kAudioHardwarePropertyDefaultInputDevice) {
          post(.routeChanged(.newDevice))
        },
        CoreAudioListener(system, kAudioHardwarePropertyDevices) {
          post(.routeChanged(.newDevice))
        },
        CoreAudioListener(system, kAudioHardwarePropertyServiceRestarted) { post(.servicesReset) },
      ]
      .compactMap { $0 })
  }

  func activate(_ request: CaptureRequest) throws(CaptureError) -> [String] { [] }

  func deactivate() {}

  func route(for request: CaptureRequest) throws(CaptureError) -> CoreAudioRoute<CaptureDevice> {
    let object = try CoreAudioDevices.find(request.device)
    let isDefault = object == CoreAudioDevices.defaultInput
    guard let device = CoreAudioDevices.describe(object, isDefault: isDefault) else {
      switch request.device {
      case .followingDefault: throw .noDevice(backend: .coreAudio)
      case .pinned(let id): throw .unknownDevice(id: id, backend: .coreAudio)
      }
    }
    return CoreAudioRoute(
      device: device,
      latency: CoreAudioDevices.latency(of: object, sampleRate: device.sampleRate))
  }

  func open(
    _ order: CoreAudioOrder, _ makeFeed: (CoreAudioFormat) -> CoreAudioFeed
  ) throws(CaptureError) -> any CoreAudioStream {
    // The route's device, even if the default has changed since.
    let object = try CoreAudioDevices.find(.pinned(id: order.route.device.id))
    setBlockLength(of: object, order)
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

  /// Requests blocks of the wanted length.
  ///
  /// A device that refuses delivers other lengths, which work as well.
  private func setBlockLength(of object: CoreAudioObject, _ order: CoreAudioOrder) {
    let rate = max(1000, order.route.device.sampleRate)
    let block = min(max(order.request.blockDuration, .milliseconds(1)), .seconds(1))
    let frameCount = block.sampleCount(at: rate)
    let input = kAudioObjectPropertyScopeInput
    let range = object.bytes(kAudioDevicePropertyBufferFrameSizeRange, input)
    // Two floating-point numbers, the smallest and the largest.
    let limits = unsafe range.withUnsafeBytes { bytes in
      (0..<bytes.count / 8).map {
        unsafe bytes.loadUnaligned(fromByteOffset: $0 * 8, as: Double.self)
      }
    }
    guard limits.count == 2, limits[0] >= 1, limits[0] <= limits[1], limits[1] < 1e6 else { return }
    let length = min(max(frameCount, Int(limits[0])), Int(limits[1]))
    _ = object.set(kAudioDevicePropertyBufferFrameSize, input, to: UInt32(length))
  }
}
#endif
