#if os(Linux)

/// Capture through alsa-lib.
public enum ALSASystem: DeviceSystem {
  /// The backend that this system implements.
  public static var backend: CaptureBackend { .alsa }

  /// Throws if the library is missing; it does not check for devices.
  public static func checkAvailability() throws(CaptureError) {
    _ = try ALSALibrary()
  }

  /// Returns the devices that can be opened, including devices in use by other programs.
  public static func devices() throws(CaptureError) -> [Device] {
    ALSADevices(library: try ALSALibrary(), direction: .capture).all
  }

  /// Creates a source for a request without opening a device.
  public static func makeSource(
    _ request: CaptureRequest
  ) throws(CaptureError) -> any CaptureSource {
    try ALSASource(request, library: ALSALibrary())
  }

  /// Always returns nil: ALSA does not report changes.
  public static func watchDevices(
    _ change: @escaping @Sendable () -> Void
  ) -> (any Sendable & AnyObject)? {
    nil
  }
}
#endif
