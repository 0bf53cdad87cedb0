/// Complex values of the 64 QMF bands over the slots of a frame: slot · 64 + band.
///
/// There are 38 slots: those of the frame (32, or 30 with frames of 960) and six of look-ahead,
/// which are valid only in the low bands. Values are in the scale of 16-bit PCM.
struct QMFFrame: Sendable {
  /// The real parts.
  var real: [Float]
  /// The imaginary parts.
  var imaginary: [Float]

  /// Slots that there is room for.
  static let slotCount = 38

  /// A frame of silence.
  init() {
    real = [Float](repeating: 0, count: Self.slotCount * 64)
    imaginary = real
  }
}
