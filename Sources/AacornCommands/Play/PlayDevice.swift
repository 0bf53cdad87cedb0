import AacornDevices

/// The output device that the options select.
struct PlayDevice {
  let request: PlaybackRequest
  /// The sound system; nil for the best available one.
  let backend: CaptureBackend?

  /// Finds a device by its ID or name.
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
