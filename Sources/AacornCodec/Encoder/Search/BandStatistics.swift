import AacornSignal

/// The quantizer's input values for each band, measured in one pass over the lines.
struct BandStatistics: Sendable {
  /// |x|^¾ of every line.
  var companded = [Float](repeating: 0, count: 1024)
  /// The sum of squares of each band.
  var energy = [Float](repeating: 0, count: BandLayout.listCapacity)
  /// The sum of √|x| of each band: the form factor of 3GPP TS 26.403, 5.6.1.
  var rootSum = [Float](repeating: 0, count: BandLayout.listCapacity)
  /// The largest |x|^¾ in each band.
  var peak = [Float](repeating: 0, count: BandLayout.listCapacity)

  /// Measures `bands` of `lines`, which are in the order of `layout`.
  mutating func measure(_ lines: [Float], _ layout: BandLayout, bands: Range<Int>) {
    precondition(lines.count >= layout.lineCount && layout.bandCount <= energy.count)
    precondition(bands.lowerBound >= 0 && bands.upperBound <= layout.bandCount)
    unsafe Self.measure(
      lines, layout.offsets, bands, &companded, &energy, &rootSum, &peak)
  }

  private static func measure(
    _ x: UnsafePointer<Float>, _ offsets: UnsafePointer<Int>, _ bands: Range<Int>,
    _ companded: UnsafeMutablePointer<Float>, _ energies: UnsafeMutablePointer<Float>,
    _ rootSums: UnsafeMutablePointer<Float>, _ peaks: UnsafeMutablePointer<Float>
  ) {
    for band in bands {
      var n = unsafe offsets[band]
      let end = unsafe offsets[band &+ 1]
      var energy = Lanes.zero
      var root = Lanes.zero
      var peak = Lanes.zero
      while n < end {
        let magnitude = unsafe x.lanes(n).magnitude
        let inverse = ElementaryFunctions.inverseFourthRoot(magnitude)
        let power = magnitude * inverse
        unsafe companded.store(power, n)
        energy += magnitude * magnitude
        root += power * inverse
        peak = peak.raised(to: power)
        n &+= 4
      }
      unsafe energies[band] = energy.total
      unsafe rootSums[band] = root.total
      unsafe peaks[band] = peak.largest
    }
  }
}
