/// Complex values of the lowest groups of lanes (see `HybridLayout`) over the slots of a frame.
///
/// Two slots of the previous frame precede it, so slot n of lane l is at (n + 2) · 36 + l.
struct HybridFrame: Sendable {
  var real: [Float]
  var imaginary: [Float]

  /// The distance from one slot to the next.
  static let stride = 36
  /// The number of slots of the previous frame.
  static let history = 2

  init() {
    real = [Float](repeating: 0, count: (32 + Self.history) * Self.stride)
    imaginary = real
  }

  /// Moves the last slots to the slots of the previous frame.
  mutating func advance(by slotCount: Int) {
    let last = slotCount * Self.stride
    for index in 0..<Self.history * Self.stride {
      real[index] = real[last + index]
      imaginary[index] = imaginary[last + index]
    }
  }

  mutating func clear() {
    for index in real.indices {
      real[index] = 0
      imaginary[index] = 0
    }
  }
}
