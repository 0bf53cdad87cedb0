/// A sound system that lists the devices and creates the sources and targets.
public protocol DeviceSystem: Sendable {
  /// The backend that this system implements.
  static var backend: DeviceBackend { get }

  /// Throws the reason if the system cannot be used now.
  static func checkAvailability(for direction: DeviceDirection) throws(DeviceError)

  /// Returns the available devices, the default device first.
  static func devices(for direction: DeviceDirection) throws(DeviceError) -> [Device]

  /// Creates a source for a request without opening a device.
  static func makeSource(_ request: CaptureRequest) throws(DeviceError) -> any CaptureSource

  /// Creates a target for a request without opening a device.
  static func makeTarget(_ request: PlaybackRequest) throws(DeviceError) -> any PlaybackTarget

  /// Calls `change` (on any thread) whenever devices for capture or their default may have changed,
  /// until the result is released.
  ///
  /// Returns nil if the system cannot report changes, so that the caller must poll.
  static func watchDevices(_ change: @escaping @Sendable () -> Void) -> (any Sendable & AnyObject)?
}

extension DeviceSystem {
  /// Returns the available devices, at least one; throws the reason if there are none.
  package static func usableDevices(
    for direction: DeviceDirection
  ) throws(DeviceError) -> [Device] {
    try checkAvailability(for: direction)
    let devices = try devices(for: direction)
    if devices.isEmpty { throw .noDevice(for: direction, backend: backend) }
    return devices
  }
}
