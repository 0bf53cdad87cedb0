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
        try system.checkAvailability(for: .capture)
        let devices = try system.devices(for: .capture)
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
      let devices = try system(backend, for: .playback).devices(for: .playback)
      // Pass an unknown text on: a system may accept a device that it does not list, and otherwise
      // reports the error itself.
      return (try id(of: text, among: devices) ?? text, backend)
    }
    var errors: [DeviceError] = []
    var unknown: DeviceError?
    for system in systems {
      let devices: [Device]
      do throws(DeviceError) {
        try system.checkAvailability(for: .playback)
        devices = try system.devices(for: .playback)
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

  /// Returns the id of the device of that name; nil if there is none.
  package static func id(
    of text: String, among devices: [Device]
  ) throws(DeviceError) -> String? {
    switch DeviceMatch(text, among: devices) {
    case .nothing: return nil
    case .one(let device): return device.id
    case .several(let devices): throw .ambiguousDevice(name: text, ids: devices.map(\.id))
    }
  }
}
