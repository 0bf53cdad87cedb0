/// A period without samples in the script of a simulated device.
struct SyntheticAbsence {
  /// The time at which the absence starts, in nanoseconds.
  let start: Int64
  /// The length in frames.
  var frameCount: Int
  /// The event that is sent at the end.
  let end: DeviceEvent
  /// The device that replaces this one at the end; nil for no change.
  var replacement: SyntheticFaults.Replacement?
}
