/// Up to eight values that move linearly to new values within 10 ms.
struct ParameterRamp: Sendable {
  /// The values for the next frame.
  private(set) var values: SIMD8<Double>
  private var target: SIMD8<Double>
  private var step = SIMD8<Double>.zero
  private var remainingFrameCount = 0
  private let length: Int

  /// Creates a ramp that is at rest at these values.
  init(_ values: SIMD8<Double>, sampleRate: Int) {
    self.values = values
    target = values
    length = max(1, sampleRate / 100)
  }

  /// Starts a move from the current values to others.
  mutating func aim(at target: SIMD8<Double>) {
    guard target != self.target else { return }
    self.target = target
    step = (target - values) / Double(length)
    remainingFrameCount = length
  }

  mutating func jump() {
    values = target
    remainingFrameCount = 0
  }

  /// Advances a running move by one frame; returns the number of frames for which the values apply.
  ///
  /// The number is 1 during a move, otherwise `limit`. So the values do not depend on the division
  /// into blocks.
  mutating func advance(_ limit: Int) -> Int {
    guard remainingFrameCount > 0 else { return limit }
    remainingFrameCount -= 1
    values = remainingFrameCount == 0 ? target : values + step
    return 1
  }

  /// Passes whole interleaved frames to `body`, in pieces of at most `limit` frames to which the
  /// same values apply.
  @inline(__always)
  mutating func forEachPiece(
    of samples: inout MutableSpan<Float>, _ channelCount: Int, limit: Int = .max,
    _ body: (UnsafeMutablePointer<Float>, _ frameCount: Int, _ values: SIMD8<Double>) -> Void
  ) {
    let frameCount = samples.count / channelCount
    unsafe samples.withUnsafeMutableBufferPointer { samples in
      guard let base = samples.baseAddress else { return }
      var first = 0
      while first < frameCount {
        let count = advance(min(frameCount - first, limit))
        unsafe body(base + first * channelCount, count, values)
        first += count
      }
    }
  }
}
