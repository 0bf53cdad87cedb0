/// Complex values of 64 bands of the filter bank over a frame: slot · 64 + band.
///
/// It has the slots of the frame (32, or 30 for 960 samples) and six of look-ahead, which are valid
/// only in the low bands.
struct QMFFrame: Sendable {
  /// The number of slots of a frame and its look-ahead.
  static let slotCount = 38

  var real: [Float]
  var imaginary: [Float]

  init() {
    // Vectors may be stored up to three bands past the end.
    real = [Float](repeating: 0, count: Self.slotCount * 64 + 4)
    imaginary = real
  }
}
