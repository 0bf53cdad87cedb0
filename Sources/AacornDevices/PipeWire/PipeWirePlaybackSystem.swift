#if os(Linux)
/// Playback through PipeWire's native interface.
public enum PipeWirePlaybackSystem: PlaybackSystem {
  /// The backend that this system implements.
  public static let backend = CaptureBackend.pipeWire

  /// Throws the reason if the system cannot be used now.
  public static func checkAvailability() throws(PlaybackError) {
    try checkAvailability(allowingOld: false)
  }

  /// Throws the reason if the system cannot be used now.
  ///
  /// With `allowingOld`, versions from 0.3.65 on are accepted.
  package static func checkAvailability(
    allowingOld: Bool, remote: String? = nil
  ) throws(PlaybackError) {
    try PlaybackError.translating { () throws(CaptureError) in
      try PipeWireSystem.checkAvailability(allowingOld: allowingOld, remote: remote)
    }
  }

  /// Returns the available devices, the default device first.
  public static func playbackDevices() throws(PlaybackError) -> [Device] {
    try playbackDevices(remote: nil)
  }

  /// Returns the devices of the server at a socket.
  package static func playbackDevices(
    remote: String?
  ) throws(PlaybackError) -> [Device] {
    try checkLibrary()
    return try graph(remote).playbackDevices
  }

  /// Creates a target for a request without opening a device.
  public static func makeTarget(
    _ request: PlaybackRequest
  ) throws(PlaybackError) -> any PlaybackTarget {
    try checkLibrary()
    return PipeWireTarget(request)
  }

  /// Returns the current state of the server at a socket.
  static func graph(
    _ remote: String?, _ library: PipeWireLibrary = .system
  ) throws(PlaybackError) -> PipeWireGraph {
    try PlaybackError.translating { () throws(CaptureError) in
      try PipeWireSystem.graph(remote, library)
    }
  }

  private static func checkLibrary() throws(PlaybackError) {
    try PlaybackError.translating { () throws(CaptureError) in
      try PipeWireLibrary.check(allowingOld: true)
    }
  }
}
#endif
