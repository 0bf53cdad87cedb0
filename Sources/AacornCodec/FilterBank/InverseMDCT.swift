import AacornSignal

/// The inverse modified discrete cosine transform of ISO/IEC 14496-3, 4.6.11, without its windows.
///
///     x[n] = 2/N Σ X[k]·cos(2π/N·(n + n₀)(k + ½)),  n₀ = (N/2 + 1)/2
///
/// Half of the N samples repeat the other half mirrored, so the DCT-IV of the N/2 lines contains
/// the whole result. With its two halves l (low) and h (high), and r for reversed,
///
///     x = h, −hᵣ, −lᵣ, −l
struct InverseMDCT: Sendable {
  /// The number of lines of a long window: 1024 or 960.
  let frameLength: Int
  private var longTransform: DCT4
  private var shortTransform: EightDCT4

  init(frameLength: Int) {
    self.frameLength = frameLength
    longTransform = DCT4(count: frameLength, scale: 1 / Float(frameLength))
    shortTransform = EightDCT4(count: frameLength / 8, scale: 8 / Float(frameLength))
  }

  /// Transforms the lines of a long window into `terms`, low half and high half.
  mutating func long(_ lines: [Float], into terms: inout [Float]) {
    longTransform.transform(lines, into: &terms)
  }

  /// Transforms the lines of eight short windows, one after the other.
  mutating func short(_ lines: [Float], into terms: inout [Float]) {
    shortTransform.transform(lines, into: &terms)
  }
}
