#if os(Linux)

/// Capture through alsa-lib.
public enum ALSASystem: CaptureSystem {
  /// The backend that this system implements.
  public static var backend: CaptureBackend { .alsa }

  /// Throws if the library is missing; it does not check for devices.
  public static func checkAvailability() throws(CaptureError) {
    _ = try ALSALibrary()
  }

  /// The devices that can be opened, or could be if another program were not using them.
  public static func devices() throws(CaptureError) -> [CaptureDevice] {
    ALSADevices(library: try ALSALibrary(), direction: .capture).all.map(\.captureDevice)
  }

  /// Creates a source for a request without opening anything.
  public static func makeSource(
    _ request: CaptureRequest
  ) throws(CaptureError) -> any CaptureSource {
    _ = try ALSALibrary()
    return try ALSASource(request)
  }

  /// Always nil: ALSA does not report changes.
  public static func watchDevices(
    _ change: @escaping @Sendable () -> Void
  ) -> (any Sendable & AnyObject)? {
    nil
  }
}
#endif
