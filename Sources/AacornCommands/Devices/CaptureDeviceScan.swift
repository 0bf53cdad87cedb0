import AacornDevices

/// The capture devices of all systems, and the errors of unavailable systems.
struct CaptureDeviceScan {
  private(set) var devices: [CaptureDevice] = []
  private(set) var failures: [(backend: CaptureBackend, error: CaptureError)] = []
  /// Whether a device was found; test signals count only if requested.
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

  /// Creates a scan from a list of devices and errors.
  init(
    devices: [CaptureDevice], failures: [(backend: CaptureBackend, error: CaptureError)] = []
  ) {
    self.devices = devices
    self.failures = failures
    isUsable = devices.contains { $0.backend != .synthetic }
  }

  /// Returns the systems to query; the built-in one is last.
  static func systems(_ backend: CaptureBackend?) -> [any CaptureSystem.Type] {
    let all = CaptureSystems.all + [SyntheticSystem.self as any CaptureSystem.Type]
    guard let backend else { return all }
    return all.filter { $0.backend == backend }
  }
}
