/// A histogram of loudness in steps of 0.1 LU from −70 to 30 LUFS.
///
/// The level of a relative gate is known only at the end, and then all blocks are needed again. The
/// histogram stores them in constant memory. It adds up the powers of the blocks in each step, so
/// means are exact.
struct LoudnessHistogram: Sendable {
  private static let stepCount = 1000
  private static let stepsPerUnit = 10.0
  private static let lowest = -70.0
  /// The power of −70 LUFS, below which a block is silence (ITU-R BS.1770-4, annex 1).
  private static let minPower = 1.172_465_304_582_295_6e-7

  private var counts = [Int64](repeating: 0, count: LoudnessHistogram.stepCount)
  private var powers = [Double](repeating: 0, count: LoudnessHistogram.stepCount)

  /// Adds a block with this power, unless it is silence.
  mutating func add(_ power: Double) {
    guard power > Self.minPower else { return }
    let step = Int((LoudnessMeter.loudness(ofPower: power) - Self.lowest) * Self.stepsPerUnit)
    let index = max(0, min(step, Self.stepCount - 1))
    counts[index] += 1
    powers[index] += power
  }

  /// Returns the mean power of the blocks that are not below `share` of the mean of all.
  ///
  /// The result is nil if there are none.
  func gatedMean(share: Double) -> Double? {
    guard let first = firstStep(share: share) else { return nil }
    return mean(from: first)
  }

  /// Returns the loudness at two percentiles; nil if there are no blocks.
  ///
  /// Only blocks that are not below `share` of the mean of all count.
  func gatedPercentiles(_ low: Double, _ high: Double, share: Double) -> (Double, Double)? {
    guard let first = firstStep(share: share) else { return nil }
    return (percentile(low, from: first), percentile(high, from: first))
  }

  private func firstStep(share: Double) -> Int? {
    guard let mean = mean(from: 0) else { return nil }
    let threshold = mean * share
    return (0..<Self.stepCount).first { step in
      counts[step] > 0 && powers[step] >= threshold * Double(counts[step])
    }
  }

  private func mean(from first: Int) -> Double? {
    var count: Int64 = 0
    var power = 0.0
    for step in first..<Self.stepCount {
      count += counts[step]
      power += powers[step]
    }
    return count > 0 ? power / Double(count) : nil
  }

  private func percentile(_ part: Double, from first: Int) -> Double {
    var count: Int64 = 0
    for step in first..<Self.stepCount { count += counts[step] }
    // The rank, in ascending order, of the block nearest to the percentile.
    var rank = Int64(Double(count - 1) * part + 0.5)
    var loudness = Self.lowest
    for step in first..<Self.stepCount where counts[step] > 0 {
      loudness = LoudnessMeter.loudness(ofPower: powers[step] / Double(counts[step]))
      rank -= counts[step]
      if rank < 0 { break }
    }
    return loudness
  }
}
