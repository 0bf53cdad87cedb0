/// Chooses inverse filtering, noise and added sines for one channel's copied bands.
///
/// A decoder applies them before it scales the bands (ISO/IEC 14496-3, 4.6.18.6 and 4.6.18.7).
///
///     spectrum ► tonality of bands ► modes ► noise floors
///                                └─► sines
struct TonalityAnalyzer: SegmentStage {
  private var tonality = BandTonality()
  private var means = NoiseBandMeans()
  // The decisions of the previous frame.
  private var modes: SIMD8<UInt8>?
  private var floors = NoiseFloors()
  private var harmonics = MissingHarmonics()

  init() {}

  static var lookBack: Int { 0 }

  mutating func begin(atFrame index: Int) {
    modes = nil
    floors.reset()
    harmonics.reset()
  }

  mutating func analyze(_ spectrum: SBRSpectrum, _ tables: SBRTables) {
    precondition(tables.start + tables.count <= 64)
    let first = tables.patches.reduce(tables.start) { min($0, $1.source) }
    // One more band is measured, because a tone in it may leak into the last replicated band.
    let end = min(tables.start + tables.count + 1, 64)
    tonality.measure(spectrum, min(first, tables.start - 1)..<end)
    means.measure(tonality, of: spectrum, with: tables)
  }

  /// Chooses the parameters of an uncoupled channel whose grid is set.
  mutating func decide(into data: inout SBRChannelData, _ tables: SBRTables) {
    resolve(means, into: &data, tables)
  }

  /// Chooses the parameters of a coupled pair, whose channels share modes and noise floors.
  ///
  /// Their grids must be set. The second channel contains the balance of the noise and its own
  /// sines.
  static func decide(
    _ pair: inout [TonalityAnalyzer], into data: inout [SBRChannelData], _ tables: SBRTables
  ) {
    precondition(pair.count == 2 && data.count == 2)
    let means = pair[0].means.mean(with: pair[1].means)
    pair[0].resolve(means, into: &data[0], tables)
    // Both analyzers continue with the same history, whatever the second one had before coupling.
    pair[1].modes = pair[0].modes
    pair[1].floors = pair[0].floors
    data[1].inverseFiltering = data[0].inverseFiltering
    // A balance of 12 is the center.
    data[1].noise = SIMD16(repeating: 12)
    pair[1].findHarmonics(&data[1], tables)
  }

  /// Chooses modes and noise floors from the means of a channel or of a pair, and finds the sines.
  private mutating func resolve(
    _ means: NoiseBandMeans, into data: inout SBRChannelData, _ tables: SBRTables
  ) {
    let count = tables.noiseCount
    let chosen = InverseFilteringChoice.modes(means, last: modes, count: count)
    modes = chosen
    data.inverseFiltering = chosen
    data.noise = floors.levels(means, modes: chosen, data.grid, count: count)
    findHarmonics(&data, tables)
  }

  /// Finds the sines of a channel whose grid is set.
  private mutating func findHarmonics(_ data: inout SBRChannelData, _ tables: SBRTables) {
    let grid = data.grid
    let transient =
      0..<grid.envelopeCount ~= grid.transient ? Int(grid.borders[grid.transient]) : -1
    harmonics.find(tonality, transient: transient, tables)
    data.harmonics = harmonics.bands
  }
}

/// Chooses the inverse filtering that reduces the tonality of copied bands (bs_invf_mode).
///
/// ISO/IEC 14496-3, 4.6.18.6.2.
enum InverseFilteringChoice {
  /// The reductions of a band's tonality by the modes, in powers of two.
  ///
  /// Measured with the inverse filter at bw = 0.75, 0.9 and 0.98, with noise and with tones in
  /// noise.
  static let reductions: [Float] = [0, 4, 6.7, 11.4]

  /// The fraction of a medium tonality that copies should keep.
  ///
  /// Copied tones have other frequencies than in the original, and stand out; added sines for the
  /// important ones cost little.
  private static let mediumFraction: Float = 0.4
  /// Above `medium` (log₂ of the tonality) copies should keep more of the tonality, and from
  /// `tonal` on all of it.
  private static let medium: Float = 7
  private static let tonal: Float = 11
  /// The improvement, in powers of two, that each step to a stronger filter must bring: the filter
  /// also removes other components.
  private static let modeCost: Float = 0.3
  /// The improvement, in powers of two, that justifies another mode than in the previous frame.
  private static let changeCost: Float = 1

  /// Returns the modes of `count` noise bands that bring copies closest to the original.
  ///
  /// `last` contains the previous frame's modes, if there was one.
  static func modes(
    _ means: NoiseBandMeans, last: SIMD8<UInt8>?, count: Int
  ) -> SIMD8<UInt8> {
    let original = (means.original.lowHalf + means.original.highHalf) * 0.5
    let source = (means.source.lowHalf + means.source.highHalf) * 0.5
    var result = SIMD8<UInt8>()
    for band in 0..<count {
      let above = min(max((original[band] - medium) / (tonal - medium), 0), 1)
      let wanted = original[band] * (mediumFraction + (1 - mediumFraction) * above)
      var minimum = Float.greatestFiniteMagnitude
      for mode in 0..<4 {
        let left = max(source[band] - reductions[mode], 0)
        var cost = abs(left - wanted) + modeCost * Float(mode)
        if let last, Int(last[band]) != mode { cost += changeCost }
        if cost < minimum {
          minimum = cost
          result[band] = UInt8(mode)
        }
      }
    }
    return result
  }
}

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
  mutating func find(_ tonality: BandTonality, transient: Int, _ tables: SBRTables) {
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
        let source = tables.sources[qmfBand - tables.start]
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
