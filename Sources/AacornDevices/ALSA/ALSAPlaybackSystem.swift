#if os(Linux)
/// Playback through alsa-lib.
public enum ALSAPlaybackSystem: PlaybackSystem {
  /// The backend that this system implements.
  public static var backend: CaptureBackend { .alsa }

  /// Throws if the library is missing; it does not check for devices.
  public static func checkAvailability() throws(PlaybackError) {
    _ = try library()
  }

  /// Returns the devices that can be opened, including devices in use by other programs.
  public static func playbackDevices() throws(PlaybackError) -> [Device] {
    ALSADevices(library: try library(), direction: .playback).all
  }

  /// Creates a target for a request without opening a device.
  public static func makeTarget(
    _ request: PlaybackRequest
  ) throws(PlaybackError) -> any PlaybackTarget {
    // Check the name here: the target does not report why it cannot examine a device.
    if let id = request.device.pinnedID {
      try PlaybackError.translating { () throws(CaptureError) in try ALSAName.check(id) }
    }
    return ALSATarget(request, library: try library())
  }

  /// Loads the library, or throws the reason why it cannot be used.
  static func library() throws(PlaybackError) -> ALSALibrary {
    try PlaybackError.translating { () throws(CaptureError) in try ALSALibrary() }
  }
}
#endif
