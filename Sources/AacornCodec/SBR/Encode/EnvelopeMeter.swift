import AacornSignal

/// Measures envelopes: the mean energy of each band between two borders, in steps of 1.5 or 3 dB.
///
/// ISO/IEC 14496-3, 4.6.18.3.5.
struct EnvelopeMeter: Sendable {
  /// Energies of the bands of an envelope, one channel after the other.
  private var energies = [Float](repeating: 0, count: 2 * width)
  /// Energies of the filter bank's bands, summed over an envelope.
  private var sums = [Float](repeating: 0, count: 64)
  /// Bands of a channel in `energies`, a multiple of four.
  private static let width = 48

  /// Writes the levels of all envelopes of `data`, whose grid is set.
  mutating func measure(
    _ spectrum: SBRSpectrum, _ tables: SBRTables, into data: inout SBRChannelData
  ) {
    let grid = data.grid
    for envelope in 0..<grid.envelopeCount {
      let count = add(spectrum, grid, envelope, tables, to: 0)
      let offset = envelope * SBRTables.maxBandCount
      for band in stride(from: 0, to: count, by: 4) {
        // E = 64 · 2^(level / a), a = 1 for coarse steps, otherwise 2.
        let levels = Self.steps(lanes(band) * (1.0 / 64), isCoarse: data.isCoarse)
        for lane in 0..<min(4, count - band) {
          data.envelopes[offset + band + lane] = Self.clamped(
            levels[lane], to: Float(SBRValueCoding.maxLevel(isCoarse: data.isCoarse)))
        }
      }
    }
  }

  /// Writes the levels of a pair as their sum, and their balance in the second channel.
  mutating func measure(
    _ left: SBRSpectrum, _ right: SBRSpectrum, _ tables: SBRTables,
    into pair: inout [SBRChannelData]
  ) {
    let (grid, isCoarse) = (pair[0].grid, pair[0].isCoarse)
    let middle: Float = isCoarse ? 12 : 24
    for envelope in 0..<grid.envelopeCount {
      let count = add(left, grid, envelope, tables, to: 0)
      _ = add(right, grid, envelope, tables, to: Self.width)
      let offset = envelope * SBRTables.maxBandCount
      for band in stride(from: 0, to: count, by: 4) {
        let (l, r) = (lanes(band), lanes(Self.width + band))
        let levels = Self.steps((l + r) * (1.0 / 128), isCoarse: isCoarse)
        let ratios =
          Self.steps(l, isCoarse: isCoarse) - Self.steps(r, isCoarse: isCoarse)
        for lane in 0..<min(4, count - band) {
          pair[0].envelopes[offset + band + lane] = Self.clamped(
            levels[lane], to: Float(SBRValueCoding.maxLevel(isCoarse: isCoarse)))
          // The bitstream contains half the value.
          let half = Self.clamped((ratios[lane] + middle) / 2, to: middle)
          pair[1].envelopes[offset + band + lane] = 2 * half
        }
      }
    }
  }

  /// Writes the mean energies of an envelope's bands from index `place` on; returns the number of
  /// bands.
  private mutating func add(
    _ spectrum: SBRSpectrum, _ grid: SBRGrid, _ envelope: Int, _ tables: SBRTables,
    to place: Int
  ) -> Int {
    let slots = 2 * Int(grid.borders[envelope])..<2 * Int(grid.borders[envelope + 1])
    unsafe Self.sum(spectrum.energies, slots, &sums)
    let borders = grid.isHigh(envelope) ? tables.high : tables.low
    for band in 0..<borders.count - 1 {
      var total: Float = 0
      for k in borders[band]..<borders[band + 1] { total += sums[k] }
      energies[place + band] = total / Float(slots.count * (borders[band + 1] - borders[band]))
    }
    return borders.count - 1
  }

  private static func sum(
    _ energies: UnsafePointer<Float>, _ slots: Range<Int>, _ sums: UnsafeMutablePointer<Float>
  ) {
    precondition(
      slots.lowerBound >= -SBRSpectrum.pastSlotCount
        && slots.upperBound + SBRSpectrum.pastSlotCount <= SBRSpectrum.slotCount)
    for band in stride(from: 0, to: 64, by: 4) {
      var total = Lanes.zero
      for slot in slots {
        unsafe total += energies.lanes((slot &+ SBRSpectrum.pastSlotCount) &* 64 &+ band)
      }
      unsafe sums.store(total, band)
    }
  }

  private func lanes(_ band: Int) -> Lanes {
    Lanes(energies[band], energies[band + 1], energies[band + 2], energies[band + 3])
  }

  /// Returns a · log₂ of energies; the values of silence are very low.
  private static func steps(_ energies: Lanes, isCoarse: Bool) -> Lanes {
    let logs = ElementaryFunctions.log2(energies.raised(to: Lanes(repeating: 1e-9)))
    return isCoarse ? logs : logs * 2
  }

  private static func clamped(_ level: Float, to most: Float) -> UInt8 {
    UInt8(min(most, max(0, (level + 0.5).rounded(.down))))
  }
}
