import AacornDevices

/// The devices of all systems, and why some systems have none.
struct DeviceSurvey {
  private(set) var devices: [CaptureDevice] = []
  private(set) var failures: [(backend: CaptureBackend, error: CaptureError)] = []
  /// Whether a wanted device was found; built-in sounds count only if requested.
  private(set) var isUsable = false

  /// Queries a system, or all of them, in order of preference.
  init(backend: CaptureBackend?) {
    for system in Self.systems(backend) {
      do throws(CaptureError) {
        devices += try system.usableDevices()
        if system.backend != .synthetic || backend == .synthetic { isUsable = true }
      } catch {
        failures.append((system.backend, error))
      }
    }
  }

  /// Takes devices and failures from a survey made elsewhere.
  init(
    devices: [CaptureDevice], failures: [(backend: CaptureBackend, error: CaptureError)] = []
  ) {
    self.devices = devices
    self.failures = failures
    isUsable = devices.contains { $0.backend != .synthetic }
  }

  /// The systems to query; the built-in one comes last.
  static func systems(_ backend: CaptureBackend?) -> [any CaptureSystem.Type] {
    let all = CaptureSystems.all + [SyntheticSystem.self as any CaptureSystem.Type]
    guard let backend else { return all }
    return all.filter { $0.backend == backend }
  }
}
