/// One channel of the frame being encoded, from spectrum to quantised lines.
///
/// Storage is laid out once and used again for every frame.
struct ChannelFrame: Sendable {
  /// Spectral lines in the order of the layout (short windows grouped and interleaved).
  var lines = [Float](repeating: 0, count: 1024)
  /// Short lines in window order, before interleaving.
  var windows = [Float](repeating: 0, count: 1024)
  /// What the ear makes of the channel.
  var hearing = Psychoacoustics()
  /// The noise each band may get, before the rate control scales it.
  var threshold = [Float](repeating: 0, count: BandLayout.maximumBandCount)
  /// What the quantiser needs to know of each band.
  var statistics = BandStatistics()
  /// TNS filters of the frame.
  var noiseShaping = TemporalNoiseShaping()

  /// Scalefactor of each band; of noise bands the energy, of intensity bands the position.
  var scaleFactor = [Int32](repeating: 100, count: BandLayout.maximumBandCount)
  /// Codebook of each band.
  var book = [UInt8](repeating: 0, count: BandLayout.maximumBandCount)
  /// Largest quantised magnitude of each band.
  var magnitude = [Int32](repeating: 0, count: BandLayout.maximumBandCount)
  /// Quantised lines, in the order of the layout.
  var quantized = [Int32](repeating: 0, count: 1024)

  /// Whether a band carries spectral lines, as opposed to noise or intensity.
  @inline(__always)
  func isSpectral(_ band: Int) -> Bool { book[band] <= Codebook.escape }

  /// Quantises every spectral band with the scalefactors chosen.
  mutating func quantize(_ layout: BandLayout, _ tables: CodeTables) {
    precondition(layout.lineCount <= lines.count && layout.bandCount <= book.count)
    for band in 0..<layout.bandCount {
      guard isSpectral(band) else {
        magnitude[band] = 0
        continue
      }
      let step = tables.quantizerSteps[Int(scaleFactor[band])]
      let largest = Quantizer.magnitude(statistics.peak[band], step)
      magnitude[band] = book[band] == Codebook.zero ? 0 : largest
      if magnitude[band] > 0 {
        let start = layout.offsets[band]
        unsafe Quantizer.quantize(
          lines, statistics.companded, start, layout.offsets[band + 1], step: step,
          into: &quantized, at: start)
      } else {
        for line in layout.offsets[band]..<layout.offsets[band + 1] { quantized[line] = 0 }
      }
    }
  }
}
