#if os(Linux)

/// Capture and playback through alsa-lib.
public enum ALSASystem: DeviceSystem {
  /// The backend that this system implements.
  public static var backend: DeviceBackend { .alsa }

  /// Throws if the library is missing; it does not check for devices.
  public static func checkAvailability(for direction: DeviceDirection) throws(DeviceError) {
    _ = try ALSALibrary()
  }

  /// Returns the devices that can be opened, including devices in use by other programs.
  public static func devices(for direction: DeviceDirection) throws(DeviceError) -> [Device] {
    ALSADevices(library: try ALSALibrary(), direction: direction).all
  }

  /// Creates a source for a request without opening a device.
  public static func makeSource(
    _ request: CaptureRequest
  ) throws(DeviceError) -> any CaptureSource {
    try ALSASource(request, library: ALSALibrary())
  }

  /// Creates a target for a request without opening a device.
  public static func makeTarget(
    _ request: PlaybackRequest
  ) throws(DeviceError) -> any PlaybackTarget {
    // Check the name here: the target does not report why it cannot examine a device.
    if let id = request.device.pinnedID { try ALSAName.check(id) }
    return ALSATarget(request, library: try ALSALibrary())
  }

  /// Always returns nil: ALSA does not report changes.
  public static func watchDevices(
    _ change: @escaping @Sendable () -> Void
  ) -> (any Sendable & AnyObject)? {
    nil
  }
}
#endif
