/// The devices that match an id or a display name entered by a user.
package enum DeviceMatch: Equatable {
  case nothing
  case one(Device)
  /// Several devices have this name, or names that begin with the text.
  case several([Device])

  /// Searches for an id, then a complete name, then a name in any letter case, then a name that
  /// begins with the text.
  package init(_ text: String, among devices: [Device]) {
    if let device = devices.first(where: { $0.id == text }) {
      self = .one(device)
      return
    }
    let small = text.lowercased()
    let kinds: [(Device) -> Bool] = [
      { $0.name == text }, { $0.name.lowercased() == small },
      { !small.isEmpty && $0.name.lowercased().hasPrefix(small) },
    ]
    for isMeant in kinds {
      let found = devices.filter(isMeant)
      if let device = found.first {
        self = found.count == 1 ? .one(device) : .several(found)
        return
      }
    }
    self = .nothing
  }
}

extension DeviceSystems {
  /// Returns the first usable system with a device of that name, the device's id, and the errors of
  /// the systems tried before.
  ///
  /// An id in any system has priority over a name.
  package static func device(
    called text: String, among systems: [any DeviceSystem.Type] = all
  ) throws(CaptureError) -> (
    system: any DeviceSystem.Type, id: String, skippedErrors: [CaptureError]
  ) {
    let failure: CaptureError
    do throws(CaptureError) {
      let found = try system(offering: text, among: systems)
      return (found.system, text, found.skippedErrors)
    } catch {
      failure = error
    }
    guard case .unknownDevice = failure else { throw failure }
    var errors: [CaptureError] = []
    for system in systems {
      do throws(CaptureError) {
        try system.checkAvailability()
        if let id = try id(of: text, in: system) { return (system, id, errors) }
        errors.append(.unknownDevice(id: text, backend: system.backend))
      } catch {
        if case .ambiguousDevice = error { throw error }
        errors.append(error)
      }
    }
    throw failure
  }

  /// Returns the id of the system's device of that name; nil if it has none.
  package static func id(
    of text: String, in system: any DeviceSystem.Type
  ) throws(CaptureError) -> String? {
    switch DeviceMatch(text, among: try system.devices()) {
    case .nothing: return nil
    case .one(let device): return device.id
    case .several(let devices):
      throw .ambiguousDevice(name: text, ids: devices.map(\.id))
    }
  }
}
