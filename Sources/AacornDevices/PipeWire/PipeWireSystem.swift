#if os(Linux)
import AacornSystem

/// PipeWire through its native interface.
public enum PipeWireSystem: DeviceSystem {
  /// The backend that this system implements.
  public static let backend = DeviceBackend.pipeWire

  /// The first version chosen automatically; older ones report incomplete information.
  package static let minimumVersion = PipeWireVersion(1, 0, 0)
  /// The oldest version that works.
  package static let oldestVersion = PipeWireVersion(0, 3, 65)

  /// Throws the reason if the system cannot be used now.
  public static func checkAvailability(for direction: DeviceDirection) throws(DeviceError) {
    try checkAvailability(allowingOld: false)
  }

  /// Throws the reason if the system cannot be used now.
  ///
  /// With `allowingOld`, versions from 0.3.65 on are accepted.
  package static func checkAvailability(
    allowingOld: Bool, remote: String? = nil
  ) throws(DeviceError) {
    try PipeWireLibrary.check(allowingOld: allowingOld)
    _ = try graph(remote)
  }

  /// Returns the available devices, the default device first, then inputs before monitors.
  public static func devices(for direction: DeviceDirection) throws(DeviceError) -> [Device] {
    try devices(for: direction, remote: nil)
  }

  /// Returns the devices of the server at a socket.
  package static func devices(
    for direction: DeviceDirection, remote: String?
  ) throws(DeviceError) -> [Device] {
    try PipeWireLibrary.check(allowingOld: true)
    return try graph(remote).devices(for: direction)
  }

  /// Creates a source for a request without opening a device.
  public static func makeSource(
    _ request: CaptureRequest
  ) throws(DeviceError) -> any CaptureSource {
    try PipeWireLibrary.check(allowingOld: true)
    return PipeWireSource(request)
  }

  /// Creates a target for a request without opening a device.
  public static func makeTarget(
    _ request: PlaybackRequest
  ) throws(DeviceError) -> any PlaybackTarget {
    try PipeWireLibrary.check(allowingOld: true)
    return PipeWireTarget(request)
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
    guard (try? PipeWireLibrary.check(allowingOld: true)) != nil else { return nil }
    return watchDevices(remote: remote, .system, change)
  }

  static func watchDevices(
    remote: String?, _ library: PipeWireLibrary, _ change: @escaping @Sendable () -> Void
  ) -> DeviceListWatch<PipeWireWorker>? {
    DeviceListWatch(PipeWireWorker(remote: remote, library)) { $0.watchDevices(change) }
  }

  /// Returns the current state of the server at a socket.
  static func graph(
    _ remote: String?, _ library: PipeWireLibrary = .system
  ) throws(DeviceError) -> PipeWireGraph {
    let connection = try PipeWireConnection(library, wake: Semaphore())
    defer { connection.close() }
    try connection.connect(to: remote, applicationName: "Aacorn")
    return connection.graph
  }
}
#endif
