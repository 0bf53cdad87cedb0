/// A time without samples in the script of a simulated device.
struct SyntheticAbsence {
  /// When it begins.
  let start: Int64
  /// How many frames it lasts.
  var frameCount: Int
  /// What is told at its end.
  let end: CaptureNotice
  /// What the device comes back as.
  var replacement: SyntheticFaults.Replacement?
}
