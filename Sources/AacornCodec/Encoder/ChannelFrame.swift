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

  /// Quantizes every spectral band with the chosen scalefactors.
  mutating func quantize(_ layout: BandLayout, _ tables: CodeTables) {
    precondition(layout.lineCount <= 1024 && layout.bandCount <= BandLayout.maximumBandCount)
    unsafe Self.quantize(
      lines: lines, companded: statistics.companded, peak: statistics.peak, offsets: layout.offsets,
      bandCount: layout.bandCount, codebooks: codebooks, scaleFactors: scaleFactors,
      steps: tables.quantizerSteps, magnitude: &magnitude, into: &quantized)
  }

  private static func quantize(
    lines: UnsafePointer<Float>, companded: UnsafePointer<Float>, peak: UnsafePointer<Float>,
    offsets: UnsafePointer<Int>, bandCount: Int, codebooks: UnsafePointer<UInt8>,
    scaleFactors: UnsafePointer<Int32>, steps: UnsafePointer<Float>,
    magnitude: UnsafeMutablePointer<Int32>, into quantized: UnsafeMutablePointer<Int32>
  ) {
    for band in 0..<bandCount {
      let start = unsafe offsets[band]
      let count = unsafe offsets[band &+ 1] &- start
      // A step of zero makes every line zero.
      var step: Float = 0
      unsafe magnitude[band] = 0
      if unsafe Codebook.hasCodewords(codebooks[band]) {
        step = unsafe steps[Int(scaleFactors[band]) & 255]
        unsafe magnitude[band] = Quantizer.magnitude(peak[band], step)
      }
      unsafe Quantizer.quantize(
        lines + start, companded + start, count, step: step, into: quantized + start)
    }
  }
}
