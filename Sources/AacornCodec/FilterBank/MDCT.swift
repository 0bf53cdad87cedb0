import AacornSignal

/// The forward modified discrete cosine transform of ISO/IEC 14496-3, 4.6.11, for N = 2048 and 256.
///
///     X[k] = 2 Σ w[n]·x[n]·cos(2π/N·(n + n₀)(k + ½)),  n₀ = (N/2 + 1)/2
///
/// The windowed block a b c d (quarters) folds to −cᵣ−d, a−bᵣ (r = reversed), whose DCT-IV is the
/// MDCT.
struct MDCT: SegmentStage {
  private var longTransform = DCT4(count: 1024, scale: 2)
  private var shortTransform = EightDCT4(count: 128, scale: 2)
  private var folded = [Float](repeating: 0, count: 1024)

  /// Blocks overlap in the samples, which a segment has; here is nothing but scratch.
  static var lookBack: Int { 0 }

  /// Has nothing to forget.
  mutating func begin(atFrame index: Int) {}

  /// Transforms 2048 samples from `start`; `left` and `right` are rising half-windows of 1024.
  mutating func long(
    _ samples: [Float], from start: Int, left: [Float], right: [Float], into lines: inout [Float]
  ) {
    precondition(start >= 0 && samples.count >= start + 2048)
    precondition(left.count == 1024 && right.count == 1024 && lines.count >= 1024)
    unsafe samples.withUnsafeBufferPointer { block in
      guard let base = block.baseAddress else { return }
      unsafe Self.fold(base + start, left, right, 512, into: &folded, at: 0)
    }
    longTransform.transform(folded, into: &lines)
  }

  /// Transforms the eight short blocks inside 2048 samples from `start`.
  ///
  /// Window w's 128 lines are at w·128. `left` is the rising half of the first window, `slope` that
  /// of all others.
  mutating func short(
    _ samples: [Float], from start: Int, left: [Float], slope: [Float], into lines: inout [Float]
  ) {
    precondition(start >= 0 && samples.count >= start + 2048)
    precondition(left.count == 128 && slope.count == 128 && lines.count >= 1024)
    unsafe samples.withUnsafeBufferPointer { block in
      guard let base = block.baseAddress else { return }
      for window in 0..<8 {
        unsafe Self.fold(
          base + start + 448 + window * 128, window == 0 ? left : slope, slope, 64,
          into: &folded, at: window * 128)
      }
    }
    shortTransform.transform(folded, into: &lines)
  }

  /// Windows and folds four quarters of `quarter` samples into two at `offset`.
  private static func fold(
    _ x: UnsafePointer<Float>, _ left: UnsafePointer<Float>, _ right: UnsafePointer<Float>,
    _ quarter: Int, into u: UnsafeMutablePointer<Float>, at offset: Int
  ) {
    let half = 2 &* quarter
    let (a, b) = unsafe (x, x + (half &- 4))
    let (c, d) = unsafe (x + (half &+ quarter &- 4), x + (half &+ quarter))
    let (wa, wb) = unsafe (left, left + (half &- 4))
    let (wc, wd) = unsafe (right + quarter, right + (quarter &- 4))
    let low = unsafe u + offset
    let high = unsafe low + quarter
    var n = 0
    while n < quarter {
      let back = 0 &- n
      let late = unsafe c.lanes(back).mirrored * wc.lanes(n) + d.lanes(n) * wd.lanes(back).mirrored
      unsafe low.store(Lanes.zero - late, n)
      let early = unsafe a.lanes(n) * wa.lanes(n) - (b.lanes(back) * wb.lanes(back)).mirrored
      unsafe high.store(early, n)
      n &+= 4
    }
  }
}
