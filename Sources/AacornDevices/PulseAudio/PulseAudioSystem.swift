#if os(Linux)
import AacornSystem

/// PulseAudio, or PipeWire's PulseAudio server.
public enum PulseAudioSystem: DeviceSystem {
  /// PulseAudio.
  public static var backend: DeviceBackend { .pulseAudio }

  /// Throws unless the library is present and a server responds.
  public static func checkAvailability(for direction: DeviceDirection) throws(DeviceError) {
    _ = try connect(to: nil, .load())
  }

  /// Returns all sources (the default one, the other inputs, then the monitors of outputs) or all
  /// sinks, the default one first.
  public static func devices(for direction: DeviceDirection) throws(DeviceError) -> [Device] {
    try devices(for: direction, server: nil)
  }

  /// Creates a source for a request without opening a device.
  public static func makeSource(
    _ request: CaptureRequest
  ) throws(DeviceError) -> any CaptureSource {
    try PulseAudioSource(request)
  }

  /// Creates a target for a request without opening a device.
  public static func makeTarget(
    _ request: PlaybackRequest
  ) throws(DeviceError) -> any PlaybackTarget {
    try PulseAudioTarget(request)
  }

  /// Calls `change` whenever sources are added or removed or the default changes.
  public static func watchDevices(
    _ change: @escaping @Sendable () -> Void
  ) -> (any Sendable & AnyObject)? {
    watchDevices(server: nil, change)
  }

  /// Returns the devices of `server`; nil means the server in the user's settings.
  package static func devices(
    for direction: DeviceDirection, server: String?
  ) throws(DeviceError) -> [Device] {
    try devices(for: direction, server: server, .load())
  }

  static func devices(
    for direction: DeviceDirection, server: String?, _ library: PulseLibrary
  ) throws(DeviceError) -> [Device] {
    let connection = try connect(to: server, library)
    let deadline = System.nanoseconds + 5_000_000_000
    do {
      let defaultName = try connection.defaultName(for: direction, until: deadline)
      let devices = try connection.devices(for: direction, until: deadline).map {
        $0.device(isDefault: $0.name == defaultName)
      }
      return devices.filter(\.isDefault)
        + devices.filter { !$0.isDefault && !$0.isMonitor }
        + devices.filter { !$0.isDefault && $0.isMonitor }
    } catch {
      throw error.deviceError("list the devices of", "PulseAudio", connection.loop.library)
    }
  }

  /// Watches the devices of `server`; nil means the server in the user's settings.
  package static func watchDevices(
    server: String?, _ change: @escaping @Sendable () -> Void
  ) -> (any Sendable & AnyObject)? {
    guard let library = try? PulseLibrary.load() else { return nil }
    return watchDevices(server: server, library, change)
  }

  static func watchDevices(
    server: String?, _ library: PulseLibrary, _ change: @escaping @Sendable () -> Void
  ) -> DeviceListWatch<PulseLoop>? {
    guard let loop = try? PulseLoop(library) else { return nil }
    return DeviceListWatch(loop) { $0.watchDevices(of: server, change) }
  }

  static func connect(
    to server: String?, _ library: PulseLibrary
  ) throws(DeviceError) -> PulseConnection {
    let loop = try PulseLoop(library)
    return try PulseConnection(
      loop, applicationName: "Aacorn", server: server, mayStartServer: true,
      until: System.nanoseconds + 5_000_000_000)
  }
}
#endif
