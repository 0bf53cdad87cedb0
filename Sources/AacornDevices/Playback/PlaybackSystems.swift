/// Finds and opens devices on the systems present.
public enum PlaybackSystems {
  /// The systems of this platform in order of preference.
  ///
  /// The silent output is not included, because a program that requests playback must not get
  /// silence.
  public static var all: [any PlaybackSystem.Type] {
    #if os(Linux)
    [PipeWirePlaybackSystem.self, PulseAudioPlaybackSystem.self, ALSAPlaybackSystem.self]
    #elseif canImport(AudioToolbox)
    [CoreAudioPlaybackSystem.self]
    #else
    []
    #endif
  }

  /// Creates a target for a request, from a given system or the first usable one.
  public static func makeTarget(
    _ request: PlaybackRequest, backend: CaptureBackend? = nil
  ) throws(PlaybackError) -> any PlaybackTarget {
    if let backend { return try system(backend).makeTarget(request) }
    return try preferredSystem().makeTarget(request)
  }

  /// Returns the system for a backend; throws the reason why it cannot be used.
  public static func system(
    _ backend: CaptureBackend
  ) throws(PlaybackError) -> any PlaybackSystem.Type {
    if backend == .synthetic { return SyntheticSystem.self }
    #if os(Linux)
    // An old PipeWire is acceptable if requested by name.
    if backend == .pipeWire {
      try PipeWirePlaybackSystem.checkAvailability(allowingOld: true)
      return PipeWirePlaybackSystem.self
    }
    #endif
    guard let system = all.first(where: { $0.backend == backend }) else {
      throw .backendUnavailable(backend)
    }
    try system.checkAvailability()
    return system
  }

  /// Returns the first system that is usable now and has a device.
  public static func preferredSystem() throws(PlaybackError) -> any PlaybackSystem.Type {
    try preferredSystem(among: all)
  }

  /// Returns the first of `systems` that is usable now and has a device.
  package static func preferredSystem(
    among systems: [any PlaybackSystem.Type]
  ) throws(PlaybackError) -> any PlaybackSystem.Type {
    var errors: [PlaybackError] = []
    for system in systems {
      do throws(PlaybackError) {
        try system.checkAvailability()
        if try !system.playbackDevices().isEmpty { return system }
        errors.append(.noDevice(backend: system.backend))
      } catch {
        errors.append(error)
      }
    }
    throw .nothingUsable(errors)
  }
}
