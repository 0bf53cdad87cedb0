/// What the quantiser needs to know of each band, measured in one pass over the lines.
struct BandStatistics: Sendable {
  /// |x|^¾ of every line.
  var companded = [Float](repeating: 0, count: 1024)
  /// Sum of squares of each band.
  var energy = [Float](repeating: 0, count: BandLayout.maximumBandCount)
  /// Sum of √|x| of each band: the form factor of 3GPP TS 26.403, 5.6.1.
  var rootSum = [Float](repeating: 0, count: BandLayout.maximumBandCount)
  /// The largest |x|^¾ of each band.
  var peak = [Float](repeating: 0, count: BandLayout.maximumBandCount)

  /// Measures `bands` of `lines`, which lie in the order of `layout`.
  mutating func measure(_ lines: [Float], _ layout: BandLayout, bands: Range<Int>) {
    precondition(lines.count >= layout.lineCount && layout.bandCount <= energy.count)
    for band in bands {
      let start = layout.offsets[band]
      let end = layout.offsets[band + 1]
      let sums = unsafe Self.measure(lines, start, end, &companded)
      energy[band] = sums.energy
      rootSum[band] = sums.root
      peak[band] = sums.peak
    }
  }

  private static func measure(
    _ x: UnsafePointer<Float>, _ start: Int, _ end: Int, _ companded: UnsafeMutablePointer<Float>
  ) -> (energy: Float, root: Float, peak: Float) {
    var energy = Lanes.zero
    var root = Lanes.zero
    var peak = Lanes.zero
    for n in stride(from: start, to: end, by: 4) {
      let magnitude = unsafe x.lanes(n).magnitude
      let inverse = ElementaryFunctions.inverseFourthRoot(magnitude)
      let power = magnitude * inverse
      let squareRoot = power * inverse
      unsafe companded.store(power, n)
      energy += magnitude * magnitude
      root += squareRoot
      peak = peak.replacing(with: power, where: power .> peak)
    }
    return (energy.total, root.total, peak.largest)
  }
}
