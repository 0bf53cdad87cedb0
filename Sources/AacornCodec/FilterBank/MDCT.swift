import AacornSignal

/// The forward modified discrete cosine transform of ISO/IEC 14496-3, 4.6.11, for N = 2048 and 256,
/// or 1920 and 240.
///
///     X[k] = 2 Σ w[n]·x[n]·cos(2π/N·(n + n₀)(k + ½)),  n₀ = (N/2 + 1)/2
///
/// The windowed block a b c d (quarters) folds to −cᵣ−d, a−bᵣ (r = reversed), whose DCT-IV is the
/// MDCT.
struct MDCT: SegmentStage {
  private let frameLength: Int
  private var longTransform: DCT4
  private var shortTransform: EightDCT4
  private var folded: [Float]

  init(frameLength: Int = 1024) {
    self.frameLength = frameLength
    longTransform = DCT4(count: frameLength, scale: 2)
    shortTransform = EightDCT4(count: frameLength / 8, scale: 2)
    folded = [Float](repeating: 0, count: frameLength)
  }

  /// The transform keeps no state between frames: the samples in which neighboring blocks overlap
  /// are part of each segment.
  static var lookBack: Int { 0 }

  /// Does nothing, because there is no state.
  mutating func begin(atFrame index: Int) {}

  /// Transforms two frames of samples from `start`; `left` and `right` are rising half-windows.
  mutating func long(
    _ samples: [Float], from start: Int, left: [Float], right: [Float], into lines: inout [Float]
  ) {
    precondition(start >= 0 && samples.count >= start + 2 * frameLength)
    precondition(left.count == frameLength && right.count == frameLength)
    precondition(lines.count >= frameLength)
    unsafe samples.withUnsafeBufferPointer { block in
      guard let base = block.baseAddress else { return }
      unsafe Self.fold(
        base + start, left: left, right: right, quarter: frameLength / 2, into: &folded, at: 0)
    }
    longTransform.transform(folded, into: &lines)
  }

  /// Transforms the eight short blocks inside two frames of samples from `start`.
  ///
  /// The lines are consecutive, window by window. `left` is the rising half of the first window,
  /// `slope` the rising half of the other windows.
  mutating func short(
    _ samples: [Float], from start: Int, left: [Float], slope: [Float], into lines: inout [Float]
  ) {
    let count = frameLength / 8
    precondition(start >= 0 && samples.count >= start + 2 * frameLength)
    precondition(left.count == count && slope.count == count && lines.count >= frameLength)
    unsafe samples.withUnsafeBufferPointer { block in
      guard let base = block.baseAddress else { return }
      let first = start + (frameLength - count) / 2
      for window in 0..<8 {
        unsafe Self.fold(
          base + first + window * count, left: window == 0 ? left : slope, right: slope,
          quarter: count / 2, into: &folded, at: window * count)
      }
    }
    shortTransform.transform(folded, into: &lines)
  }

  /// Windows and folds four quarters of `quarter` samples into two at `offset`.
  private static func fold(
    _ x: UnsafePointer<Float>, left: UnsafePointer<Float>, right: UnsafePointer<Float>,
    quarter: Int, into u: UnsafeMutablePointer<Float>, at offset: Int
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

/// Rising half-windows, 1024 values each (the short ones 128).
///
///     long      0 ⟋ 1                 sine or KBD over 1024 samples
///     steep     0…0 ⟋ 1…1             448 zeros, a short slope of 128, 448 ones
///     short     ⟋                     128 samples
///
/// A falling half is the mirrored rising half. Frames of 960 samples have 960, 420 and 120 values.
struct WindowTable: Sendable {
  private let longSine: [Float]
  private let longKaiser: [Float]
  private let steepSine: [Float]
  private let steepKaiser: [Float]
  private let shortSine: [Float]
  private let shortKaiser: [Float]

  init(frameLength: Int = 1024) {
    longSine = Self.sine(frameLength)
    longKaiser = Self.kaiserBesselDerived(frameLength, alpha: 4)
    shortSine = Self.sine(frameLength / 8)
    shortKaiser = Self.kaiserBesselDerived(frameLength / 8, alpha: 6)
    steepSine = Self.steep(shortSine)
    steepKaiser = Self.steep(shortKaiser)
  }

  func long(_ shape: WindowShape) -> [Float] { shape == .sine ? longSine : longKaiser }
  func steep(_ shape: WindowShape) -> [Float] { shape == .sine ? steepSine : steepKaiser }
  func short(_ shape: WindowShape) -> [Float] { shape == .sine ? shortSine : shortKaiser }

  private static func sine(_ count: Int) -> [Float] {
    var window: [Float] = []
    for n in 0..<count {
      window.append(
        Float(ElementaryFunctions.sinCosPi((Double(n) + 0.5) / Double(2 * count)).sin))
    }
    return window
  }

  private static func kaiserBesselDerived(_ count: Int, alpha: Double) -> [Float] {
    var sums: [Double] = []
    var sum = 0.0
    let center = Double(count) / 2
    for p in 0...count {
      let x = (Double(p) - center) / center
      sum += ElementaryFunctions.besselI0(
        ofSquareRootOf: Double.pi * alpha * (Double.pi * alpha) * (1 - x * x))
      sums.append(sum)
    }
    var window: [Float] = []
    for n in 0..<count { window.append(Float((sums[n] / sum).squareRoot())) }
    return window
  }

  private static func steep(_ slope: [Float]) -> [Float] {
    let flat = slope.count * 7 / 2
    return [Float](repeating: 0, count: flat) + slope + [Float](repeating: 1, count: flat)
  }
}
