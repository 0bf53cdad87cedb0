/// Complex values of 64 bands of the filter bank over a frame: slot · 64 + band.
///
/// The slots are those of the frame (32, or 30 of 960 samples) and six of look-ahead, which are
/// valid only in the low bands.
struct QMFFrame: Sendable {
  /// Slots of a frame and of its look-ahead.
  static let slotCount = 38

  var real: [Float]
  var imaginary: [Float]

  init() {
    // Vectors may be stored up to three bands beyond the end.
    real = [Float](repeating: 0, count: Self.slotCount * 64 + 4)
    imaginary = real
  }
}
