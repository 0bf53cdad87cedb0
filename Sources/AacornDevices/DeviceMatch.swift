/// Which devices a person means who types an id, or what people call a device.
package enum DeviceMatch: Equatable {
  case nothing
  case one(CaptureDevice)
  /// The name is that of several, or several begin with it.
  case several([CaptureDevice])

  /// Looks for an id, then for a whole name, then for one without regard to the size of letters,
  /// then for the beginning of one.
  package init(_ text: String, among devices: [CaptureDevice]) {
    if let device = devices.first(where: { $0.id == text }) {
      self = .one(device)
      return
    }
    let small = text.lowercased()
    let kinds: [(CaptureDevice) -> Bool] = [
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

extension CaptureSystems {
  /// The first system that can be used and has a device that is called so, that device, and what
  /// kept the others.
  ///
  /// An id goes before a name, whatever system has it.
  package static func device(
    called text: String, among systems: [any CaptureSystem.Type] = all
  ) throws(CaptureError) -> (
    system: any CaptureSystem.Type, id: String, passedOver: [CaptureError]
  ) {
    let failure: CaptureError
    do throws(CaptureError) {
      let found = try system(offering: text, among: systems)
      return (found.system, text, found.passedOver)
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

  /// The id of the device of a system that is called so; nil if it has none.
  package static func id(
    of text: String, in system: any CaptureSystem.Type
  ) throws(CaptureError) -> String? {
    switch DeviceMatch(text, among: try system.devices()) {
    case .nothing: return nil
    case .one(let device): return device.id
    case .several(let devices):
      throw .ambiguousDevice(name: text, ids: devices.map(\.id))
    }
  }
}
