#if os(Linux)
/// Playback through PipeWire's native interface.
public enum PipeWirePlaybackSystem: PlaybackSystem {
  /// The backend that this system implements.
  public static let backend = CaptureBackend.pipeWire

  /// Throws the reason if the system cannot be used now.
  public static func checkAvailability() throws(PlaybackError) {
    try checkAvailability(allowingOld: false)
  }

  /// Throws the reason if it cannot be used now; from 0.3.65 on it can be requested by name.
  package static func checkAvailability(
    allowingOld: Bool, remote: String? = nil
  ) throws(PlaybackError) {
    do throws(CaptureError) {
      try PipeWireSystem.checkAvailability(allowingOld: allowingOld, remote: remote)
    } catch {
      throw PlaybackError(error)
    }
  }

  /// The available devices, the default one first.
  public static func playbackDevices() throws(PlaybackError) -> [PlaybackDevice] {
    try playbackDevices(remote: nil)
  }

  /// The devices of the server at a socket.
  package static func playbackDevices(
    remote: String?
  ) throws(PlaybackError) -> [PlaybackDevice] {
    try graph(remote).playbackDevices
  }

  /// Creates a target for a request without opening anything.
  public static func makeTarget(
    _ request: PlaybackRequest
  ) throws(PlaybackError) -> any PlaybackTarget {
    try checkLibrary()
    return PipeWireTarget(request)
  }

  /// What the server at a socket has now.
  static func graph(_ remote: String?) throws(PlaybackError) -> PipeWireGraph {
    try checkLibrary()
    do throws(CaptureError) {
      return try PipeWireSystem.graph(remote)
    } catch {
      throw PlaybackError(error)
    }
  }

  private static func checkLibrary() throws(PlaybackError) {
    do throws(CaptureError) {
      try PipeWireLibrary.check(allowingOld: true)
    } catch {
      throw PlaybackError(error)
    }
  }
}
#endif
