/// The direction of the samples.
public enum DeviceDirection: Sendable {
  /// From a device to the program.
  case capture
  /// From the program to a device.
  case playback
}
