#if os(Linux)

/// Capture through alsa-lib.
public enum ALSASystem: CaptureSystem {
  /// Which system it is.
  public static var backend: CaptureBackend { .alsa }

  /// Throws if the library is not there; whether it has a device is another question.
  public static func checkAvailability() throws(CaptureError) {
    _ = try ALSALibrary()
  }

  /// The devices that can be opened, or could be if another program did not use them.
  public static func devices() throws(CaptureError) -> [CaptureDevice] {
    ALSADevices(library: try ALSALibrary()).all
  }

  /// A source for a request; nothing is opened yet.
  public static func makeSource(
    _ request: CaptureRequest
  ) throws(CaptureError) -> any CaptureSource {
    _ = try ALSALibrary()
    return try ALSASource(request)
  }

  /// Always nil: ALSA does not tell.
  public static func watchDevices(
    _ change: @escaping @Sendable () -> Void
  ) -> (any Sendable & AnyObject)? {
    nil
  }
}
#endif
