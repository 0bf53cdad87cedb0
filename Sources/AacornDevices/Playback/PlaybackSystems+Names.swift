extension PlaybackSystems {
  /// Returns the id of the device with that id or name, and the system that has it.
  ///
  /// The silent output, which every list contains, is used if no system has a device of that name.
  package static func device(
    called text: String, backend: CaptureBackend? = nil,
    among systems: [any PlaybackSystem.Type] = all
  ) throws(PlaybackError) -> (id: String, backend: CaptureBackend) {
    if let backend {
      let devices = try system(backend).playbackDevices()
      // Pass an unknown text on: a system may accept a device that it does not list, and otherwise
      // reports the error itself.
      return (try id(of: text, among: devices) ?? text, backend)
    }
    var errors: [PlaybackError] = []
    var unknown: PlaybackError?
    for system in systems {
      let devices: [Device]
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
    // The silent output requires its complete name, so that half a name never results in silence.
    let silent = SyntheticSystem.silentOutput
    if text == silent.id || text == silent.name { return (silent.id, silent.backend) }
    throw unknown ?? .nothingUsable(errors, device: text)
  }

  /// Returns the id of the device of that name; nil if there is none.
  package static func id(
    of text: String, among devices: [Device]
  ) throws(PlaybackError) -> String? {
    switch DeviceMatch(text, among: devices) {
    case .nothing: return nil
    case .one(let device): return device.id
    case .several(let devices): throw .ambiguousDevice(name: text, ids: devices.map(\.id))
    }
  }
}
