import AacornDevices

/// The device to play on, as the options say.
struct PlayDevice {
  let request: PlaybackRequest
  /// Nil for the best system that works.
  let backend: CaptureBackend?

  /// Finds the device that is called so, by its id or its name.
  init(_ text: String?, _ backend: CaptureBackend?) throws(PlaybackError) {
    if let text {
      let found = try PlaybackSystems.device(called: text, backend: backend)
      request = PlaybackRequest(device: .pinned(id: found.id))
      self.backend = found.backend
    } else {
      request = PlaybackRequest()
      self.backend = backend
    }
  }
}
