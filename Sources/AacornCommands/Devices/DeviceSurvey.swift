import AacornDevices

/// The devices of all systems, and why some systems have none.
struct DeviceSurvey {
  private(set) var devices: [CaptureDevice] = []
  private(set) var failures: [(backend: CaptureBackend, error: CaptureError)] = []
  /// Whether there is a device that was looked for; built-in sounds count only if asked for.
  private(set) var isUsable = false

  /// Asks a system, or all of them, in the order of preference.
  init(backend: CaptureBackend?) {
    for system in Self.systems(backend) {
      do throws(CaptureError) {
        try system.checkAvailability()
        let found = try system.devices()
        if found.isEmpty { throw .noDevice(backend: system.backend) }
        devices += found
        if system.backend != .synthetic || backend == .synthetic { isUsable = true }
      } catch {
        failures.append((system.backend, error))
      }
    }
  }

  /// Devices and failures as given, for a survey that was made elsewhere.
  init(
    devices: [CaptureDevice], failures: [(backend: CaptureBackend, error: CaptureError)] = []
  ) {
    self.devices = devices
    self.failures = failures
    isUsable = devices.contains { $0.backend != .synthetic }
  }

  /// The systems to be asked; the built-in one comes last.
  static func systems(_ backend: CaptureBackend?) -> [any CaptureSystem.Type] {
    let all = Capture.systems + [SyntheticSystem.self as any CaptureSystem.Type]
    guard let backend else { return all }
    return all.filter { $0.backend == backend }
  }
}
