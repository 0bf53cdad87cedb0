/// Complex values of the lowest groups of lanes over the slots of a frame.
///
/// Two slots of the frame before come first, so that slot n of lane l is at (n + 2) · 36 + l.
struct HybridFrame: Sendable {
  /// The real parts.
  var real: [Float]
  /// The imaginary parts.
  var imaginary: [Float]

  /// From one slot to the next.
  static let stride = 36
  /// Slots of the frame before.
  static let history = 2

  /// A frame of silence.
  init() {
    real = [Float](repeating: 0, count: (32 + Self.history) * Self.stride)
    imaginary = real
  }

  /// Makes the last slots those of the frame before.
  mutating func advance(by slotCount: Int) {
    let last = slotCount * Self.stride
    for index in 0..<Self.history * Self.stride {
      real[index] = real[last + index]
      imaginary[index] = imaginary[last + index]
    }
  }

  /// Forgets all.
  mutating func clear() {
    for index in real.indices {
      real[index] = 0
      imaginary[index] = 0
    }
  }
}
