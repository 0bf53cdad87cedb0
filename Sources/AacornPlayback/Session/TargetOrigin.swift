import AacornDevices

/// The destination of a playback.
enum TargetOrigin: Sendable {
  /// An existing target.
  case target(any PlaybackTarget)
  /// A device to select when the playback starts, on a given audio system or the best one.
  case request(PlaybackRequest, CaptureBackend?)

  /// Returns the target.
  ///
  /// Selecting a device may take a while.
  func target() throws(PlaybackError) -> any PlaybackTarget {
    switch self {
    case .target(let target): return target
    case .request(let request, let backend):
      return try PlaybackSystems.makeTarget(request, backend: backend)
    }
  }
}
