/// Finds bands with a tone that their copy lacks, where decoders add a sine.
///
/// bs_add_harmonic; ISO/IEC 14496-3, 4.6.18.7.4.
///
/// The sine is in the middle of its band, and the band's other components become weak. So the tone
/// must dominate the band and be steady through the frame. The thresholds for continuing a sine are
/// lower than for starting one, since tones that start and stop are especially audible.
struct MissingHarmonics: Sendable {
  /// log₂ of the minimum tonality of a starting tone.
  private static let minTonality: Float = 4
  /// The minimum excess of the tone's tonality over the unfiltered copy's, in powers of two.
  ///
  /// A tonal copy already has partials, all of which a single sine would replace.
  private static let minDifference: Float = 3
  /// The reduction of both minimums for a continued tone.
  private static let persistence: Float = 3
  /// The minimum fraction of the envelope band's energy that a starting tone must have.
  private static let minShare: Float = 0.55
  /// The minimum fraction that a continued tone must have.
  private static let persistentShare: Float = 0.4
  /// The maximum energy of a neighbor relative to a continued tone.
  ///
  /// A tone between two bands is in both.
  private static let leakage: Float = 1.5

  /// The bands of high resolution with a sine: bit b is band b.
  private(set) var bands: UInt64 = 0

  /// Resets the state of the previous frame.
  mutating func reset() { bands = 0 }

  /// Finds the sines of the next frame.
  ///
  /// - Parameters:
  ///   - tonality: The tonality of the frame's bands.
  ///   - transient: The slot (two samples of the filter bank) at which a transient begins; −1 for
  ///     none.
  ///   - tables: The band tables.
  ///   - sources: The source of each replicated band, from kₓ on; −1 for none.
  mutating func find(
    _ tonality: BandTonality, transient: Int, _ tables: SBRTables, sources: [Int8]
  ) {
    // The half of the frame with a transient does not look tonal, so only the other half counts.
    let first = 1..<12 ~= transient ? 1 : 0
    let last = transient >= 12 ? 0 : 1
    let (firstRow, lastRow) = (first * BandTonality.width, last * BandTonality.width)
    func energy(_ qmfBand: Int) -> Float {
      tonality.energies[firstRow + qmfBand] + tonality.energies[lastRow + qmfBand]
    }
    var result: UInt64 = 0
    for band in 0..<tables.high.count - 1 {
      let qmfBands = tables.high[band]..<tables.high[band + 1]
      var (peak, peakEnergy, sum) = (qmfBands.lowerBound, Float(-1), Float(0))
      var copied: Float = 0
      for qmfBand in qmfBands {
        let here = energy(qmfBand)
        sum += here
        if here > peakEnergy {
          peakEnergy = here
          peak = qmfBand
        }
        let source = Int(sources[qmfBand - tables.start])
        if source >= 0 {
          copied = max(
            copied, tonality.levels[firstRow + source], tonality.levels[lastRow + source])
        }
      }
      let level = min(tonality.levels[firstRow + peak], tonality.levels[lastRow + peak])
      let below = energy(peak - 1)
      let above = energy(min(peak + 1, 63))
      let isContinued = bands >> UInt64(band) & 1 != 0
      let hysteresis = isContinued ? Self.persistence : 0
      if level > Self.minTonality - hysteresis, level - copied > Self.minDifference - hysteresis,
        peakEnergy > (isContinued ? Self.persistentShare : Self.minShare) * sum,
        peakEnergy * (isContinued ? Self.leakage : 1) >= max(below, above)
      {
        result |= 1 << UInt64(band)
      }
    }
    bands = result
  }
}
