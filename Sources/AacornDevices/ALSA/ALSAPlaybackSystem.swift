#if os(Linux)
/// Playback through alsa-lib.
public enum ALSAPlaybackSystem: PlaybackSystem {
  /// The backend that this system implements.
  public static var backend: CaptureBackend { .alsa }

  /// Throws if the library is missing; it does not check for devices.
  public static func checkAvailability() throws(PlaybackError) {
    _ = try library()
  }

  /// The devices that can be opened, or could be if another program were not using them.
  public static func playbackDevices() throws(PlaybackError) -> [PlaybackDevice] {
    ALSADevices(library: try library(), direction: .playback).all.map(\.playbackDevice)
  }

  /// Creates a target for a request without opening anything.
  public static func makeTarget(
    _ request: PlaybackRequest
  ) throws(PlaybackError) -> any PlaybackTarget {
    _ = try library()
    // Check the name here: the code that examines a device does not report why it is not opened.
    if let id = request.device.pinnedID {
      try PlaybackError.translating { () throws(CaptureError) in try ALSAName.check(id) }
    }
    return ALSATarget(request)
  }

  /// The library, or why it cannot be used.
  static func library() throws(PlaybackError) -> ALSALibrary {
    do throws(CaptureError) {
      return try ALSALibrary()
    } catch {
      throw PlaybackError(error)
    }
  }
}
#endif
