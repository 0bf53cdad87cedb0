#if os(Linux)
/// PipeWire for a user who selects it: it may have an older version than one chosen automatically.
enum SelectedPipeWireSystem: DeviceSystem {
  static var backend: DeviceBackend { PipeWireSystem.backend }

  static func checkAvailability(for direction: DeviceDirection) throws(DeviceError) {
    try PipeWireSystem.checkAvailability(allowingOld: true)
  }

  static func devices(for direction: DeviceDirection) throws(DeviceError) -> [Device] {
    try PipeWireSystem.devices(for: direction)
  }

  static func availableDevices(for direction: DeviceDirection) throws(DeviceError) -> [Device] {
    try PipeWireSystem.devices(for: direction)
  }

  static func makeSource(_ request: CaptureRequest) throws(DeviceError) -> any CaptureSource {
    try PipeWireSystem.makeSource(request)
  }

  static func makeTarget(_ request: PlaybackRequest) throws(DeviceError) -> any PlaybackTarget {
    try PipeWireSystem.makeTarget(request)
  }

  static func watchDevices(
    _ change: @escaping @Sendable () -> Void
  ) -> (any Sendable & AnyObject)? {
    PipeWireSystem.watchDevices(remote: nil, change)
  }
}
#endif
