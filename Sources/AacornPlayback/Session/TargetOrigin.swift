import AacornDevices

/// Where a playback goes to.
enum TargetOrigin: Sendable {
  /// A target that exists.
  case target(any PlaybackTarget)
  /// What is found when the playback begins, in a certain system or the best one.
  case request(PlaybackRequest, CaptureBackend?)

  /// The target; to find one may take a while.
  func target() throws(PlaybackError) -> any PlaybackTarget {
    switch self {
    case .target(let target): return target
    case .request(let request, let backend):
      return try PlaybackSystems.makeTarget(request, backend: backend)
    }
  }
}
