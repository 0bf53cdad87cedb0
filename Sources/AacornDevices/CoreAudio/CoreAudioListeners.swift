#if os(macOS) && canImport(AudioToolbox)
import CoreAudio

/// Listens to several properties until `end` or deinitialization.
final class CoreAudioListeners: CoreAudioObservation {
  private var listeners: [CoreAudioListener]

  /// Posts the events that concern all devices of a direction.
  init(_ direction: DeviceDirection, _ post: @escaping @Sendable (CoreAudioEvent) -> Void) {
    let system = CoreAudioObject.system
    listeners = [
      CoreAudioListener(system, direction.defaultDevice) { post(.routeChanged(.newDevice)) },
      CoreAudioListener(system, kAudioHardwarePropertyDevices) { post(.routeChanged(.newDevice)) },
      CoreAudioListener(system, kAudioHardwarePropertyServiceRestarted) { post(.servicesReset) },
    ]
    .compactMap { $0 }
  }

  func end() {
    listeners.removeAll()
  }
}
#endif
