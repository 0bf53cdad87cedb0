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
