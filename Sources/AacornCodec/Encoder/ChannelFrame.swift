import AacornSignal

/// One channel of the frame being encoded, from spectrum to quantized lines.
///
/// Storage is allocated once and reused for every frame.
struct ChannelFrame: SegmentStage {
  /// Spectral lines in the order of the layout (short windows grouped and interleaved).
  var lines = [Float](repeating: 0, count: 1024)
  /// The spectral lines of short windows, one window after the other, before interleaving.
  var windows = [Float](repeating: 0, count: 1024)
  var psychoacoustics = Psychoacoustics()
  /// The noise allowed in each band, before the rate control scales it.
  var threshold = [Float](repeating: 0, count: BandLayout.listCapacity)
  /// The quantizer's input values for each band.
  var statistics = BandStatistics()
  var noiseShaping = NoiseShaping()

  /// The scalefactor of each band; the energy of noise bands, the position of intensity bands.
  var scaleFactors = [Int32](repeating: 100, count: BandLayout.maximumBandCount)
  var codebooks = [UInt8](repeating: 0, count: BandLayout.maximumBandCount)
  /// The largest quantized magnitude in each band.
  var magnitude = [Int32](repeating: 0, count: BandLayout.maximumBandCount)
  /// The quantized lines, in the order of the layout.
  var quantized = [Int32](repeating: 0, count: 1024)

  /// Only the psychoacoustic model keeps state between frames.
  static var lookBack: Int { Psychoacoustics.lookBack }

  mutating func begin(atFrame index: Int) { psychoacoustics.begin(atFrame: index) }

  /// Returns whether a band contains spectral lines, rather than noise or intensity.
  @inline(__always)
  func isSpectral(_ band: Int) -> Bool { Codebook.isSpectral(codebooks[band]) }

  /// Returns the noise allowed in bands `first` to `first` + 3.
  @inline(__always)
  func thresholds(_ first: Int) -> Lanes {
    Lanes(threshold[first], threshold[first + 1], threshold[first + 2], threshold[first + 3])
  }

  /// Quantizes every spectral band with the chosen scalefactors.
  mutating func quantize(_ layout: BandLayout, _ tables: CodeTables) {
    precondition(layout.lineCount <= 1024 && layout.bandCount <= BandLayout.maximumBandCount)
    unsafe statistics.withPointers { statistics in
      unsafe Self.withBands(
        offsets: layout.offsets, codebooks: codebooks, scaleFactors: scaleFactors,
        magnitude: &magnitude
      ) { bands in
        unsafe Self.quantize(
          lines, statistics, bands: bands, bandCount: layout.bandCount,
          steps: tables.quantizerSteps, into: &quantized)
      }
    }
  }

  /// The borders, codebooks, scalefactors and largest magnitudes of bands.
  @unsafe
  private struct Bands {
    let offsets: UnsafePointer<Int>
    let codebooks: UnsafePointer<UInt8>
    let scaleFactors: UnsafePointer<Int32>
    let magnitude: UnsafeMutablePointer<Int32>
  }

  @inline(__always)
  private static func withBands(
    offsets: UnsafePointer<Int>, codebooks: UnsafePointer<UInt8>,
    scaleFactors: UnsafePointer<Int32>, magnitude: UnsafeMutablePointer<Int32>,
    _ body: (Bands) -> Void
  ) {
    unsafe body(
      Bands(
        offsets: offsets, codebooks: codebooks, scaleFactors: scaleFactors, magnitude: magnitude))
  }

  private static func quantize(
    _ lines: UnsafePointer<Float>, _ statistics: BandStatistics.Pointers, bands: Bands,
    bandCount: Int, steps: UnsafePointer<Float>, into quantized: UnsafeMutablePointer<Int32>
  ) {
    for band in 0..<bandCount {
      let start = unsafe bands.offsets[band]
      let count = unsafe bands.offsets[band &+ 1] &- start
      // A step of zero makes every line zero.
      var step: Float = 0
      unsafe bands.magnitude[band] = 0
      if unsafe Codebook.hasCodewords(bands.codebooks[band]) {
        step = unsafe steps[Int(bands.scaleFactors[band]) & 255]
        unsafe bands.magnitude[band] = Quantizer.magnitude(statistics.peak[band], step)
      }
      unsafe Quantizer.quantize(
        lines + start, companded: statistics.companded + start, count: count, step: step,
        into: quantized + start)
    }
  }
}

extension ChannelFrame {
  /// Runs the psychoacoustic model and sets the thresholds for frames without enough bits.
  ///
  /// Scaling every threshold equally would hurt most where the signal is loud, because the noise is
  /// loud there as well. So quiet bands get more of the noise, by a power of their threshold per
  /// line. Bands whose energy exceeds the masking threshold most get slightly more as well.
  mutating func applyMaskingModel(_ layout: BandLayout, _ model: MaskingModel, levelExponent: Float)
  {
    psychoacoustics.analyze(lines, layout, by: model)
    let padded = (layout.bandCount + 3) & ~3
    precondition(
      padded <= psychoacoustics.threshold.count && padded <= psychoacoustics.energy.count)
    precondition(padded <= layout.widths.count && padded <= threshold.count)
    for band in 0..<layout.bandCount { codebooks[band] = Codebook.smallest }
    unsafe Self.setThresholds(
      hidden: psychoacoustics.threshold, energy: psychoacoustics.energy, widths: layout.widths,
      layout.bandCount, levelExponent, into: &threshold)
  }

  /// The exponent with which thresholds rise with the ratio of energy to hidden noise.
  private static let ratioExponent: Float = 0.1

  private static func setThresholds(
    hidden: UnsafePointer<Float>, energy: UnsafePointer<Float>,
    widths: UnsafePointer<Float>, _ count: Int, _ levelExponent: Float,
    into threshold: UnsafeMutablePointer<Float>
  ) {
    var band = 0
    while band < count {
      // The last lanes may be past the last band: there, any positive value is valid.
      let noise = unsafe hidden.lanes(band).raised(to: Lanes(repeating: 1e-9))
      let width = unsafe widths.lanes(band).raised(to: Lanes(repeating: 1))
      let level = ElementaryFunctions.log2(noise / width)
      let ratio = ElementaryFunctions.log2(unsafe (energy.lanes(band) + 1) / noise)
      unsafe threshold.store(
        noise * ElementaryFunctions.exp2(ratioExponent * ratio - levelExponent * level), band)
      band &+= 4
    }
  }
}

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

  /// The pointers through which kernels access statistics.
  @unsafe
  struct Pointers {
    let companded, energy, rootSum, peak: UnsafePointer<Float>
  }

  /// Calls `body` with pointers that are valid until it returns.
  @inline(__always)
  func withPointers(_ body: (Pointers) -> Void) {
    unsafe Self.withPointers(
      companded: companded, energy: energy, rootSum: rootSum, peak: peak, body)
  }

  @inline(__always)
  private static func withPointers(
    companded: UnsafePointer<Float>, energy: UnsafePointer<Float>,
    rootSum: UnsafePointer<Float>, peak: UnsafePointer<Float>, _ body: (Pointers) -> Void
  ) {
    unsafe body(Pointers(companded: companded, energy: energy, rootSum: rootSum, peak: peak))
  }

  /// Measures `bands` of `lines`, which are in the order of `layout`.
  mutating func measure(_ lines: [Float], _ layout: BandLayout, bands: Range<Int>) {
    precondition(lines.count >= layout.lineCount && layout.bandCount <= energy.count)
    precondition(bands.lowerBound >= 0 && bands.upperBound <= layout.bandCount)
    unsafe Self.measure(
      lines, offsets: layout.offsets, bands, companded: &companded, energies: &energy,
      rootSums: &rootSum, peaks: &peak)
  }

  private static func measure(
    _ x: UnsafePointer<Float>, offsets: UnsafePointer<Int>, _ bands: Range<Int>,
    companded: UnsafeMutablePointer<Float>, energies: UnsafeMutablePointer<Float>,
    rootSums: UnsafeMutablePointer<Float>, peaks: UnsafeMutablePointer<Float>
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
