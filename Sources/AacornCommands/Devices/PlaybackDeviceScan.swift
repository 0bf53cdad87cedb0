import AacornDevices

/// The playback devices of all systems, and the errors of unavailable systems.
struct PlaybackDeviceScan {
  private(set) var devices: [PlaybackDevice] = []
  private(set) var failures: [(backend: CaptureBackend, error: PlaybackError)] = []

  /// Queries a system, or all of them, in order of preference; the built-in one is last.
  init(backend: CaptureBackend?) {
    let systems = PlaybackSystems.all + [SyntheticSystem.self as any PlaybackSystem.Type]
    for system in systems where backend == nil || system.backend == backend {
      do throws(PlaybackError) {
        try system.checkAvailability()
        devices += try system.playbackDevices()
      } catch {
        failures.append((system.backend, error))
      }
    }
  }

  /// Creates a scan from a list of devices and errors.
  init(
    devices: [PlaybackDevice], failures: [(backend: CaptureBackend, error: PlaybackError)] = []
  ) {
    self.devices = devices
    self.failures = failures
  }

  /// Whether an output other than the null output exists.
  var isUsable: Bool { devices.contains { $0.backend != .synthetic } }

  /// Returns the errors that a scan of capture devices has not already reported.
  func unreportedFailures(
    after scan: CaptureDeviceScan
  ) -> [(backend: CaptureBackend, error: PlaybackError)] {
    let reported = scan.failures.map { $0.error.commandMessage }
    return failures.filter { !reported.contains($0.error.commandMessage) }
  }
}
