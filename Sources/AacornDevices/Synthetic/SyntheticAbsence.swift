/// A period without samples in the script of a simulated device.
struct SyntheticAbsence {
  /// The start, in nanoseconds.
  let start: Int64
  /// The length, in frames.
  var frameCount: Int
  /// The notice that is sent at the end.
  let end: CaptureEvent
  /// The replacement for the device at the end.
  var replacement: SyntheticFaults.Replacement?
}
