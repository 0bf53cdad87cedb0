/// An event from a source or target.
@frozen
public enum DeviceEvent: UInt8, BitwiseCopyable, Sendable {
  /// The device or the sound server was disconnected; the source or target waits for it to return.
  case deviceLost
  /// Samples flow again, perhaps to or from another device.
  case deviceReturned
  /// Samples flow to or from another device from here on.
  case deviceChanged
  /// The system has suspended the device, or another program has interrupted it.
  case suspended
  /// The device is awake again.
  case resumed
  /// A finite source has reached its end; targets do not report this.
  case ended
  /// The source or target cannot continue; its `failure` has the reason.
  case failed
}
