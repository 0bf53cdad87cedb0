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

  /// Takes devices and failures from a survey made elsewhere.
  init(
    devices: [PlaybackDevice], failures: [(backend: CaptureBackend, error: PlaybackError)] = []
  ) {
    self.devices = devices
    self.failures = failures
  }

  /// Whether there is one that somebody hears.
  var isUsable: Bool { devices.contains { $0.backend != .synthetic } }

  /// The failures that a survey of the devices to record from has not told of already.
  func untoldFailures(
    after survey: DeviceSurvey
  ) -> [(backend: CaptureBackend, error: PlaybackError)] {
    let told = survey.failures.map { $0.error.commandSentence }
    return failures.filter { !told.contains($0.error.commandSentence) }
  }
}
