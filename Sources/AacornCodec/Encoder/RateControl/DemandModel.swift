import AacornSignal

/// Predicts a frame's bits at any noise level without quantizing anything.
///
/// A band with energy E, of which nl lines are relevant (3GPP TS 26.403, 5.6.1: nl = Σ√|x| /
/// (E/width)^¼), needs about ½·log₂(1 + c·E/T) bits for each of them if its noise should be T.
/// The noise level g scales all thresholds by 2ᵍ.
struct DemandModel: SegmentStage {
  private var relevant = [Float](repeating: 0, count: capacity)
  private var ratio = [Float](repeating: 0, count: capacity)
  private var count = 0

  /// Eight channels of eight groups of fifteen short bands, each channel padded.
  private static let capacity = 8 * BandLayout.listCapacity
  /// The maximum number of Newton steps, the maximum step, and the step that ends the search.
  private static let maxStepCount = 6
  private static let maxStep: Float = 6
  private static let precision: Float = 0.02
  /// The limits of the noise level that a search returns.
  private static let lowestLevel: Float = -40
  private static let highestLevel: Float = 60

  /// A model covers one frame.
  static var lookBack: Int { 0 }

  mutating func begin(atFrame index: Int) { removeAll() }

  /// Removes the data of the last frame.
  mutating func removeAll() { count = 0 }

  /// Adds `bandCount` bands in groups of four.
  ///
  /// `logRatios` are log₂(E/T) at g = 0, and `lines` the numbers of relevant lines. Past the last
  /// band, up to a multiple of four, `lines` must be zero and `logRatios` finite.
  mutating func append(logRatios: [Float], lines: [Float], bandCount: Int) {
    let padded = (bandCount + 3) & ~3
    precondition(padded <= logRatios.count && padded <= lines.count)
    precondition(count + padded <= relevant.count)
    for band in 0..<padded {
      relevant[count + band] = lines[band]
      ratio[count + band] = logRatios[band]
    }
    count += padded
  }

  /// Returns the predicted bits of one band at g = 0.
  static func bits(energy: Float, rootSum: Float, width: Float, threshold: Float) -> Float {
    guard energy > 1e-3, threshold > 0 else { return 0 }
    let logs = ElementaryFunctions.log2(
      Lanes(rootSum, energy / width, 1 + 2.828427 * energy / threshold, 1))
    return ElementaryFunctions.exp2(logs[0] - 0.25 * logs[1]) * logs[2] * 0.5
  }

  /// Returns the predicted bits at noise level `g`, and their decrease per level.
  func bits(at g: Float) -> (bits: Float, slope: Float) {
    unsafe Self.bits(relevant: relevant, ratio: ratio, count: count, shift: 1.5 - g)
  }

  private static func bits(
    relevant: UnsafePointer<Float>, ratio: UnsafePointer<Float>, count: Int, shift: Float
  ) -> (bits: Float, slope: Float) {
    var sum = Lanes.zero
    var slope = Lanes.zero
    var n = 0
    while n < count {
      let lines = unsafe relevant.lanes(n)
      let power = ElementaryFunctions.exp2(unsafe ratio.lanes(n) + shift)
      sum += lines * ElementaryFunctions.log2(power + 1)
      slope += lines * (power / (power + 1))
      n &+= 4
    }
    return (sum.total * 0.5, slope.total * 0.5)
  }

  /// Returns the noise level at which the prediction is `target` bits, searched from `guess`.
  func level(for target: Float, from guess: Float) -> Float {
    var g = guess
    for _ in 0..<Self.maxStepCount {
      let (bits, slope) = bits(at: g)
      let step = (bits - target) / max(slope, 1)
      g += min(Self.maxStep, max(-Self.maxStep, step))
      if abs(step) < Self.precision { break }
    }
    return min(Self.highestLevel, max(Self.lowestLevel, g))
  }
}
