extension PlaybackSystems {
  /// The device that is called so, by its id or its name, and the system that has it.
  ///
  /// The silent output, which every list has, is found if no system has a device of that name.
  package static func device(
    called text: String, backend: CaptureBackend? = nil
  ) throws(PlaybackError) -> (id: String, backend: CaptureBackend) {
    if let backend {
      let devices = try system(backend).playbackDevices()
      // What a system does not list it may know nonetheless, and says itself what is wrong with it.
      return (try id(of: text, among: devices) ?? text, backend)
    }
    var errors: [PlaybackError] = []
    var unknown: PlaybackError?
    for system in all {
      let devices: [PlaybackDevice]
      do throws(PlaybackError) {
        try system.checkAvailability()
        devices = try system.playbackDevices()
      } catch {
        errors.append(error)
        continue
      }
      if let id = try id(of: text, among: devices) { return (id, system.backend) }
      unknown = unknown ?? .unknownDevice(id: text, backend: system.backend)
    }
    // Nobody gets silence for half a name.
    let silent = SyntheticSystem.silentOutput
    if text == silent.id || text == silent.name { return (silent.id, silent.backend) }
    throw unknown ?? .nothingUsable(errors, device: text)
  }

  /// The id of the device that is called so; nil if none is.
  ///
  /// An id goes before a whole name, then one without regard to the size of letters, then the
  /// beginning of one.
  package static func id(
    of text: String, among devices: [PlaybackDevice]
  ) throws(PlaybackError) -> String? {
    if let device = devices.first(where: { $0.id == text }) { return device.id }
    let small = text.lowercased()
    let kinds: [(PlaybackDevice) -> Bool] = [
      { $0.name == text }, { $0.name.lowercased() == small },
      { !small.isEmpty && $0.name.lowercased().hasPrefix(small) },
    ]
    for isMeant in kinds {
      let found = devices.filter(isMeant)
      if found.count > 1 { throw .ambiguousDevice(name: text, ids: found.map(\.id)) }
      if let device = found.first { return device.id }
    }
    return nil
  }
}
