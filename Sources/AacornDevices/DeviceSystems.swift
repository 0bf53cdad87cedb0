/// Finds and opens devices on the systems present.
public enum DeviceSystems {
  /// The systems of this platform in order of preference.
  ///
  /// The built-in system is not included: a program that requests a microphone must not get a tone,
  /// and a program that requests playback must not get silence.
  public static var all: [any DeviceSystem.Type] {
    #if os(Linux)
    [PipeWireSystem.self, PulseAudioSystem.self, ALSASystem.self]
    #elseif canImport(AudioToolbox)
    [CoreAudioSystem.self]
    #else
    []
    #endif
  }

  /// Returns the system for a backend; throws the reason why it cannot be used.
  public static func system(
    _ backend: DeviceBackend, for direction: DeviceDirection
  ) throws(DeviceError) -> any DeviceSystem.Type {
    if backend == .synthetic { return SyntheticSystem.self }
    #if os(Linux)
    // An old PipeWire is acceptable if requested by name.
    if backend == .pipeWire {
      try PipeWireSystem.checkAvailability(allowingOld: true)
      return PipeWireSystem.self
    }
    #endif
    guard let system = all.first(where: { $0.backend == backend }) else {
      throw .backendUnavailable(backend)
    }
    try system.checkAvailability(for: direction)
    return system
  }

  /// Returns the first system that is usable now and has a device, and the errors of earlier
  /// systems.
  public static func preferredSystem(
    for direction: DeviceDirection
  ) throws(DeviceError) -> (system: any DeviceSystem.Type, skippedErrors: [DeviceError]) {
    try preferredSystem(for: direction, among: all)
  }

  /// Returns the first of `systems` that is usable and has a device, and the errors of earlier
  /// systems.
  package static func preferredSystem(
    for direction: DeviceDirection, among systems: [any DeviceSystem.Type]
  ) throws(DeviceError) -> (system: any DeviceSystem.Type, skippedErrors: [DeviceError]) {
    let found = try preferredDevices(for: direction, among: systems)
    return (found.system, found.skippedErrors)
  }

  /// Returns the first of `systems` that is usable and has a device, and its devices.
  package static func preferredDevices(
    for direction: DeviceDirection, among systems: [any DeviceSystem.Type] = all
  ) throws(DeviceError) -> (
    system: any DeviceSystem.Type, devices: [Device], skippedErrors: [DeviceError]
  ) {
    var errors: [DeviceError] = []
    for system in systems {
      do throws(DeviceError) {
        return (system, try system.usableDevices(for: direction), errors)
      } catch {
        errors.append(error)
      }
    }
    throw .nothingUsable(for: direction, errors)
  }

  /// Returns the first usable system that has the device for capture, and the errors of the earlier
  /// systems.
  package static func system(
    offering id: String, among systems: [any DeviceSystem.Type] = all
  ) throws(DeviceError) -> (system: any DeviceSystem.Type, skippedErrors: [DeviceError]) {
    var errors: [DeviceError] = []
    var firstUsable: (any DeviceSystem.Type)?
    for system in systems {
      do throws(DeviceError) {
        let devices = try system.usableDevices(for: .capture)
        if devices.contains(where: { $0.id == id }) { return (system, errors) }
        firstUsable = firstUsable ?? system
        errors.append(.unknownDevice(id: id, backend: system.backend))
      } catch {
        errors.append(error)
      }
    }
    if let firstUsable { throw .unknownDevice(id: id, backend: firstUsable.backend) }
    throw .nothingUsable(for: .capture, errors, device: id)
  }

  /// Creates a source for a request, from a given system or the preferred one.
  public static func makeSource(
    _ request: CaptureRequest, backend: DeviceBackend? = nil
  ) throws(DeviceError) -> any CaptureSource {
    try chosenSystem(backend, for: .capture).makeSource(request)
  }

  /// Creates a target for a request, from a given system or the preferred one.
  public static func makeTarget(
    _ request: PlaybackRequest, backend: DeviceBackend? = nil
  ) throws(DeviceError) -> any PlaybackTarget {
    try chosenSystem(backend, for: .playback).makeTarget(request)
  }

  /// Returns the system for a backend, or the preferred one.
  private static func chosenSystem(
    _ backend: DeviceBackend?, for direction: DeviceDirection
  ) throws(DeviceError) -> any DeviceSystem.Type {
    if let backend { return try system(backend, for: direction) }
    return try preferredSystem(for: direction).system
  }
}
