/// The two bitrates in a decoder configuration (ISO/IEC 14496-1, 7.2.6.6).
struct BitrateStatistics: Equatable {
  /// The highest number of bits in any window of one second, wherever it starts.
  var maximum: UInt32
  /// All bits divided by the total time.
  var average: UInt32
}

extension BitrateStatistics {
  /// Measures frames of `samplesPerUnit` samples at `timescale` samples per second.
  ///
  /// The bits of a frame count as spread evenly over its duration.
  ///
  /// The sum over a sliding window is therefore piecewise linear, with its maximum where the window
  /// starts or ends at a frame boundary.
  init(sizes: [UInt16], samplesPerUnit: UInt64, timescale: UInt64) {
    guard !sizes.isEmpty else {
      maximum = 0
      average = 0
      return
    }
    var byteTotal: UInt64 = 0
    for size in sizes { byteTotal += UInt64(size) }
    let mean =
      Double(byteTotal) * 8 * Double(timescale) / (Double(sizes.count) * Double(samplesPerUnit))
    average = UInt32(min(mean + 0.5, 4_294_967_295))
    let wholeUnits = Int(timescale / samplesPerUnit)
    let rest = timescale % samplesPerUnit
    var sum: UInt64 = 0
    var peak: UInt64 = 0
    for index in 0..<sizes.count {
      sum += UInt64(sizes[index])
      let first = index - wholeUnits + 1
      if first > 0 { sum -= UInt64(sizes[first - 1]) }
      let before = first > 0 ? sizes[first - 1] : 0
      let after = index + 1 < sizes.count ? sizes[index + 1] : 0
      peak = max(peak, sum &* samplesPerUnit &+ UInt64(max(before, after)) &* rest)
    }
    let bits = (peak &* 8 &+ samplesPerUnit - 1) / samplesPerUnit
    maximum = max(average, UInt32(min(bits, 4_294_967_295)))
  }
}
