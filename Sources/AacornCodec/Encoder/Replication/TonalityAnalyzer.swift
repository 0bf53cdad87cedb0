/// Chooses inverse filtering, noise and added sines for one channel's copied bands.
///
/// A decoder applies them before it scales the bands (ISO/IEC 14496-3, 4.6.18.6 and 4.6.18.7).
///
///     spectrum ► tonality of bands ► modes ► noise floors
///                                └─► sines
struct TonalityAnalyzer: SegmentStage {
  private var tonality = BandTonality()
  private var means = NoiseBandMeans()
  /// The source of each replicated band, from kₓ on; −1 for none.
  private var sources = [Int8](repeating: -1, count: SBRTables.maxBandCount)
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

  mutating func analyze(_ spectrum: ReplicationSpectrum, _ tables: SBRTables) {
    precondition(tables.count <= sources.count && tables.start + tables.count <= 64)
    let first = findSources(tables)
    // One more band is measured, because a tone in it may leak into the last replicated band.
    let end = min(tables.start + tables.count + 1, 64)
    tonality.measure(spectrum, min(first, tables.start - 1)..<end)
    means.measure(tonality, spectrum, tables, sources: sources)
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
    harmonics.find(tonality, transient: transient, tables, sources: sources)
    data.harmonics = harmonics.bands
  }

  /// Stores the source of each replicated band; returns the lowest source.
  private mutating func findSources(_ tables: SBRTables) -> Int {
    var index = 0
    var lowest = tables.start
    for patch in tables.patchWidths.indices {
      let source = tables.patchSources[patch]
      for band in 0..<tables.patchWidths[patch] where index < tables.count {
        sources[index] = Int8(truncatingIfNeeded: source + band)
        index += 1
      }
      lowest = min(lowest, source)
    }
    // Bands of a dropped patch, which was too narrow, stay empty.
    while index < tables.count {
      sources[index] = -1
      index += 1
    }
    return lowest
  }
}
