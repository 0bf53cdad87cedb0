/// Finds bands with a tone that no copy has, for which decoders make a sine (bs_add_harmonic;
/// ISO/IEC 14496-3, 4.6.18.7.4).
///
/// Such a sine is in the middle of its band, and what else the band has becomes weak. So the tone
/// must be most of what there is, and the same in all of the frame. One that has begun goes on more
/// easily, as tones that come and go are heard before others.
struct MissingHarmonics: Sendable {
  /// log₂ of the least tonality of a tone that begins.
  private static let leastTonality: Float = 4
  /// By how many powers of two it must be more tonal than what is copied, before filters make that
  /// less tonal: among several partials one sine would leave the others out.
  private static let leastDifference: Float = 3
  /// By how much both may be less for one that goes on.
  private static let persistence: Float = 3
  /// The part of its envelope band's energy that it must be.
  private static let leastShare: Float = 0.55
  /// The same for one that goes on.
  private static let persistentShare: Float = 0.4
  /// How much more energy a neighbor may have beside one that goes on; a tone between two bands is
  /// in both.
  private static let leakage: Float = 1.5

  /// Bit b: a sine in the band b of high resolution.
  private(set) var bands: UInt64 = 0

  /// Forgets the frame before.
  mutating func reset() { bands = 0 }

  /// Finds those of the next frame.
  ///
  /// - Parameters:
  ///   - tonality: of the frame's bands.
  ///   - transient: the slot (of two in the filter bank) with which a transient begins; −1 for none.
  ///   - tables: the bands.
  ///   - sources: the source of each replicated band, from kₓ on; −1 for none.
  mutating func find(
    _ tonality: BandTonality, transient: Int, _ tables: SBRTables, sources: [Int8]
  ) {
    // What a transient is part of does not look tonal: the other half must do.
    let first = 1..<12 ~= transient ? 1 : 0
    let last = transient >= 12 ? 0 : 1
    let (firstRow, lastRow) = (first * BandTonality.width, last * BandTonality.width)
    func energy(_ place: Int) -> Float {
      tonality.energies[firstRow + place] + tonality.energies[lastRow + place]
    }
    var result: UInt64 = 0
    for band in 0..<tables.high.count - 1 {
      let places = tables.high[band]..<tables.high[band + 1]
      var (peak, peakEnergy, sum) = (places.lowerBound, Float(-1), Float(0))
      var copied: Float = 0
      for place in places {
        let here = energy(place)
        sum += here
        if here > peakEnergy {
          peakEnergy = here
          peak = place
        }
        let source = Int(sources[place - tables.start])
        if source >= 0 {
          copied = max(
            copied, tonality.levels[firstRow + source], tonality.levels[lastRow + source])
        }
      }
      let level = min(tonality.levels[firstRow + peak], tonality.levels[lastRow + peak])
      let below = energy(peak - 1)
      let above = energy(min(peak + 1, 63))
      let goesOn = bands >> UInt64(band) & 1 != 0
      let ease = goesOn ? Self.persistence : 0
      if level > Self.leastTonality - ease, level - copied > Self.leastDifference - ease,
        peakEnergy > (goesOn ? Self.persistentShare : Self.leastShare) * sum,
        peakEnergy * (goesOn ? Self.leakage : 1) >= max(below, above)
      {
        result |= 1 << UInt64(band)
      }
    }
    bands = result
  }
}
