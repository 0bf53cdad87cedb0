import AacornDevices

/// The devices of all systems that sound can be played on, and why some systems have none.
struct OutputSurvey {
  private(set) var devices: [PlaybackDevice] = []
  private(set) var failures: [(backend: CaptureBackend, error: PlaybackError)] = []

  /// Queries a system, or all of them, in order of preference; the built-in one comes last.
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

  /// Takes devices from a survey made elsewhere.
  init(devices: [PlaybackDevice]) {
    self.devices = devices
  }
}
