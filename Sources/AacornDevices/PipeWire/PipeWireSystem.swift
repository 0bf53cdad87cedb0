#if os(Linux)
import AacornSystem

/// PipeWire, by its own interface.
public enum PipeWireSystem: CaptureSystem {
  /// Which system it is.
  public static let backend = CaptureBackend.pipeWire

  /// The version from which on it is chosen by itself; older ones have gaps in what they tell.
  package static let minimumVersion = PipeWireVersion(1, 0, 0)
  /// The oldest version that works.
  package static let oldestVersion = PipeWireVersion(0, 3, 65)

  /// Whether it can be used here and now; throws a reason if not.
  public static func checkAvailability() throws(CaptureError) {
    try checkAvailability(allowingOld: false)
  }

  /// Whether it can be used here and now, from 0.3.65 on if it is asked for by name.
  package static func checkAvailability(
    allowingOld: Bool, remote: String? = nil
  ) throws(CaptureError) {
    try PipeWireLibrary.check(allowingOld: allowingOld)
    _ = try graph(remote)
  }

  /// The devices there are, the default one first, then inputs before monitors.
  public static func devices() throws(CaptureError) -> [CaptureDevice] {
    try devices(remote: nil)
  }

  /// The devices of the server at a socket.
  package static func devices(remote: String?) throws(CaptureError) -> [CaptureDevice] {
    try PipeWireLibrary.check(allowingOld: true)
    return try graph(remote).devices
  }

  /// A source for a request; nothing is opened yet.
  public static func makeSource(
    _ request: CaptureRequest
  ) throws(CaptureError) -> any CaptureSource {
    try PipeWireLibrary.check(allowingOld: true)
    return PipeWireSource(request)
  }

  /// Calls `change` (on any thread) whenever devices or the default change, until the result is
  /// released.
  public static func watchDevices(
    _ change: @escaping @Sendable () -> Void
  ) -> (any Sendable & AnyObject)? {
    watchDevices(remote: nil, change)
  }

  /// Watches the devices of the server at a socket.
  package static func watchDevices(
    remote: String?, _ change: @escaping @Sendable () -> Void
  ) -> (any Sendable & AnyObject)? {
    PipeWireDeviceWatch(remote: remote, change)
  }

  private static func graph(_ remote: String?) throws(CaptureError) -> PipeWireGraph {
    let connection = try PipeWireConnection(wake: Semaphore())
    defer { connection.close() }
    try connection.connect(to: remote, applicationName: "Aacorn")
    return connection.graph
  }
}
#endif
