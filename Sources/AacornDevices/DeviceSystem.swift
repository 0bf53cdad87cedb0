/// A sound system that lists the devices and creates the sources and targets.
public protocol DeviceSystem: Sendable {
  /// The backend that this system implements.
  static var backend: DeviceBackend { get }

  /// Throws the reason if the system cannot be used now.
  static func checkAvailability(for direction: DeviceDirection) throws(DeviceError)

  /// Returns the available devices, the default device first.
  static func devices(for direction: DeviceDirection) throws(DeviceError) -> [Device]

  /// Returns the available devices like `devices`; throws the reason if the system cannot be used
  /// now.
  ///
  /// A sound server needs only one connection for both. The default implementation calls
  /// `checkAvailability` and `devices`.
  static func availableDevices(for direction: DeviceDirection) throws(DeviceError) -> [Device]

  /// Creates a source for a request without opening a device.
  static func makeSource(_ request: CaptureRequest) throws(DeviceError) -> any CaptureSource

  /// Creates a target for a request without opening a device.
  static func makeTarget(_ request: PlaybackRequest) throws(DeviceError) -> any PlaybackTarget

  /// Calls `change` (on any thread) whenever devices for capture or their default may have changed,
  /// until the result is released.
  ///
  /// Returns nil if the system cannot report changes, so that the caller must poll.
  static func watchDevices(_ change: @escaping @Sendable () -> Void) -> (any Sendable & AnyObject)?
}

extension DeviceSystem {
  /// Returns the available devices; throws the reason if the system cannot be used now.
  public static func availableDevices(
    for direction: DeviceDirection
  ) throws(DeviceError) -> [Device] {
    try checkAvailability(for: direction)
    return try devices(for: direction)
  }

  /// Returns the available devices, at least one; throws the reason if there are none.
  package static func usableDevices(
    for direction: DeviceDirection
  ) throws(DeviceError) -> [Device] {
    let devices = try availableDevices(for: direction)
    if devices.isEmpty { throw .noDevice(for: direction, backend: backend) }
    return devices
  }
}

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
    guard let system = selected(backend) else { throw .backendUnavailable(backend) }
    try system.checkAvailability(for: direction)
    return system
  }

  /// Returns the system that a user selects by its backend; nil if this platform lacks it.
  package static func selected(_ backend: DeviceBackend) -> (any DeviceSystem.Type)? {
    #if os(Linux)
    if backend == .pipeWire { return SelectedPipeWireSystem.self }
    #endif
    if backend == .synthetic { return SyntheticSystem.self }
    return all.first { $0.backend == backend }
  }

  /// Returns the first system that is usable now and has a device, and the errors of earlier
  /// systems.
  public static func preferredSystem(
    for direction: DeviceDirection
  ) throws(DeviceError) -> (system: any DeviceSystem.Type, skippedErrors: [DeviceError]) {
    let found = try preferredDevices(for: direction)
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

  /// Returns the available devices of a system with the properties that are unknown until a device
  /// is opened, which wakes the hardware.
  package static func openedDevices(
    of system: any DeviceSystem.Type, for direction: DeviceDirection
  ) throws(DeviceError) -> [Device] {
    #if os(Linux)
    if system is ALSASystem.Type {
      return ALSADevices(library: try ALSALibrary(), direction: direction).opened
    }
    #endif
    return try system.availableDevices(for: direction)
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

extension DeviceSystems {
  /// Returns the first usable system with a device of that name for capture, the device's id, and
  /// the errors of the systems tried before.
  ///
  /// An id in any system has priority over a name.
  package static func device(
    called text: String, among systems: [any DeviceSystem.Type] = all
  ) throws(DeviceError) -> (
    system: any DeviceSystem.Type, id: String, skippedErrors: [DeviceError]
  ) {
    let failure: DeviceError
    do throws(DeviceError) {
      let found = try system(offering: text, among: systems)
      return (found.system, text, found.skippedErrors)
    } catch {
      failure = error
    }
    guard case .unknownDevice = failure else { throw failure }
    var errors: [DeviceError] = []
    for system in systems {
      do throws(DeviceError) {
        let devices = try system.availableDevices(for: .capture)
        if let id = try id(of: text, among: devices) { return (system, id, errors) }
        errors.append(.unknownDevice(id: text, backend: system.backend))
      } catch {
        if case .ambiguousDevice = error { throw error }
        errors.append(error)
      }
    }
    throw failure
  }

  /// Returns the id of the output with that id or name, and the system that has it.
  ///
  /// The silent output, which every list contains, is used if no system has a device of that name.
  package static func output(
    called text: String, backend: DeviceBackend? = nil,
    among systems: [any DeviceSystem.Type] = all
  ) throws(DeviceError) -> (id: String, backend: DeviceBackend) {
    if let backend {
      guard let system = selected(backend) else { throw .backendUnavailable(backend) }
      let devices = try system.availableDevices(for: .playback)
      // Pass an unknown text on: a system may accept a device that it does not list, and otherwise
      // reports the error itself.
      return (try id(of: text, among: devices) ?? text, backend)
    }
    var errors: [DeviceError] = []
    var unknown: DeviceError?
    for system in systems {
      let devices: [Device]
      do throws(DeviceError) {
        devices = try system.availableDevices(for: .playback)
      } catch {
        errors.append(error)
        continue
      }
      if let id = try id(of: text, among: devices) { return (id, system.backend) }
      unknown = unknown ?? .unknownDevice(id: text, backend: system.backend)
    }
    // The silent output requires its complete name, so that half a name never results in silence.
    let silent = SyntheticSystem.silentOutput
    if text == silent.id || text == silent.name { return (silent.id, silent.backend) }
    throw unknown ?? .nothingUsable(for: .playback, errors, device: text)
  }

  /// Returns the id of the device with that id or display name; nil if there is none.
  ///
  /// An id is preferred to a complete name, then a name in any letter case, then a name that begins
  /// with the text.
  package static func id(
    of text: String, among devices: [Device]
  ) throws(DeviceError) -> String? {
    if devices.contains(where: { $0.id == text }) { return text }
    let small = text.lowercased()
    let kinds: [(Device) -> Bool] = [
      { $0.name == text }, { $0.name.lowercased() == small },
      { !small.isEmpty && $0.name.lowercased().hasPrefix(small) },
    ]
    for isMeant in kinds {
      let ids = devices.filter(isMeant).map(\.id)
      if ids.count > 1 { throw .ambiguousDevice(name: text, ids: ids) }
      if let id = ids.first { return id }
    }
    return nil
  }
}
