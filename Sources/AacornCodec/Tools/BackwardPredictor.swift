import AacornSignal

/// Prediction of each line from the two previous frames, object type Main (ISO/IEC 14496-3, 4.6.6).
///
/// Every line has a lattice predictor of order two, adapted to the lines as they are decoded.
/// Encoder and decoder must agree to the last bit, so the state is stored in 16-bit floats: the
/// upper half of a float, rounded as 4.6.6.3.2 specifies.
struct BackwardPredictor: Sendable {
  /// The state of one line's predictor.
  private struct Line {
    var r0: Float = 0
    var r1: Float = 0
    var correlation0: Float = 0
    var correlation1: Float = 0
    var variance0: Float = 1
    var variance1: Float = 1
  }

  private static let attenuation: Float = 0.953125
  private static let estimateDecay: Float = 0.90625
  /// The number of groups in which predictors are reset: every 30th line.
  private static let groupCount = 30

  private var lines: [Line]

  /// Creates predictors for this many lines: the lines of the bands with prediction.
  init(lineCount: Int) { lines = [Line](repeating: Line(), count: lineCount) }

  mutating func reset() {
    for n in 0..<lines.count { lines[n] = Line() }
  }

  /// Adds the predictions of a channel's frame, and adapts.
  mutating func apply(_ window: WindowInfo, offsets: [Int], to spectrum: inout [Float]) {
    // Short windows have no prediction and reset it (4.6.6.3.4).
    if window.isShort { return reset() }
    let prediction = window.backwardPrediction
    var band = 0
    for line in 0..<lines.count {
      if line == offsets[band + 1] { band += 1 }
      let isUsed = (prediction?.bands ?? 0) >> UInt64(band) & 1 != 0
      Self.predict(&lines[line], &spectrum[line], isUsed: isUsed)
    }
    guard let group = prediction?.resetGroup, group > 0, group <= Self.groupCount else { return }
    for line in stride(from: group - 1, to: lines.count, by: Self.groupCount) {
      lines[line] = Line()
    }
  }

  private static func predict(_ line: inout Line, _ value: inout Float, isUsed: Bool) {
    let k0 =
      line.variance0 > 1 ? line.correlation0 * roundedToEven(attenuation / line.variance0) : 0
    let k1 =
      line.variance1 > 1 ? line.correlation1 * roundedToEven(attenuation / line.variance1) : 0
    if isUsed { value += rounded(k0 * line.r0 + k1 * line.r1) }
    let e0 = value
    let e1 = e0 - k0 * line.r0
    line.correlation1 = truncated(estimateDecay * line.correlation1 + line.r1 * e1)
    line.variance1 = truncated(estimateDecay * line.variance1 + 0.5 * (line.r1 * line.r1 + e1 * e1))
    line.correlation0 = truncated(estimateDecay * line.correlation0 + line.r0 * e0)
    line.variance0 = truncated(estimateDecay * line.variance0 + 0.5 * (line.r0 * line.r0 + e0 * e0))
    line.r1 = truncated(attenuation * (line.r0 - k0 * e0))
    line.r0 = truncated(attenuation * e0)
  }

  /// Returns the nearest 16-bit float, away from zero in a tie.
  private static func rounded(_ x: Float) -> Float {
    Float(bitPattern: (x.bitPattern &+ 0x8000) & 0xFFFF_0000)
  }

  /// Returns the nearest 16-bit float, an even one in a tie.
  private static func roundedToEven(_ x: Float) -> Float {
    let bits = x.bitPattern
    return Float(bitPattern: (bits &+ 0x7FFF &+ (bits >> 16 & 1)) & 0xFFFF_0000)
  }

  /// Returns the next 16-bit float toward zero.
  private static func truncated(_ x: Float) -> Float {
    Float(bitPattern: x.bitPattern & 0xFFFF_0000)
  }
}
