import AacornSignal

/// Limits the energies of a channel's high bands after a splice that `SpliceGuard` has detected.
///
/// After a splice, a decoder adds differences in time to the scalefactors of another position, and
/// the sums can have any value. So an envelope that probably depends on a splice is limited: with
/// the low bands, its energy must not exceed a reference energy by more than 2.4 dB. The reference
/// is the energy of the low bands at that time or the maximum energy of the last four frames,
/// whichever is higher. Other envelopes are not limited.
struct SpliceLimiter: Sendable {
  /// The maximum of the energy of all bands relative to the reference energy: 2.4 dB.
  private static let margin: Float = 1.75
  /// The minimum length, in slots, of an envelope with full weight in `recent`: half a frame, about
  /// 20 ms.
  private static let fullWeightSlotCount = 16

  /// The maximum energies of the last four frames, the latest first.
  private var recent = Lanes.zero

  /// Resets the energies of the last frames.
  mutating func reset() { recent = Lanes.zero }

  /// Limits the first `splicedEnvelopeCount` envelopes of a frame.
  ///
  /// The arrays of low bands begin with two slots before slot 0.
  mutating func bound(
    _ levels: inout SBRLevels, _ grid: SBRGrid, tables: SBRTables, splicedEnvelopeCount: Int,
    lowReal: [Float], lowImaginary: [Float]
  ) {
    let end = SBRGenerator.lowWidth * (2 * grid.end + 2)
    precondition(lowReal.count >= end && lowImaginary.count >= end)
    let before = recent.max()
    var maximum: Float = 0
    for envelope in 0..<grid.envelopeCount {
      let slots = 2 * Int(grid.borders[envelope])..<2 * Int(grid.borders[envelope + 1])
      let low = unsafe Self.energy(lowReal, lowImaginary, slots: slots)
      let borders = grid.isHigh(envelope) ? tables.high : tables.low
      var high = levels.energy(envelope, borders)
      if envelope < splicedEnvelopeCount {
        let reference = max(low, before)
        let limit = Self.margin * reference - low
        if high > limit {
          levels.scale(envelope, bandCount: borders.count - 1, by: limit / high)
        }
        high = min(high, reference)
      }
      // The energy of a shorter envelope is weighted by its length.
      let share =
        Float(min(slots.count, Self.fullWeightSlotCount)) / Float(Self.fullWeightSlotCount)
      maximum = max(maximum, max(low, high) * share)
    }
    recent = Lanes(maximum, recent[0], recent[1], recent[2])
  }

  /// Records the energy of a frame without high bands.
  mutating func recordUnreplicated(slotCount: Int, _ lowReal: [Float], _ lowImaginary: [Float]) {
    let end = SBRGenerator.lowWidth * (slotCount + 2)
    precondition(lowReal.count >= end && lowImaginary.count >= end)
    let low = unsafe Self.energy(lowReal, lowImaginary, slots: 0..<slotCount)
    recent = Lanes(low, recent[0], recent[1], recent[2])
  }

  /// Returns the mean energy of the low bands in an even number of slots.
  private static func energy(
    _ real: UnsafePointer<Float>, _ imaginary: UnsafePointer<Float>, slots: Range<Int>
  ) -> Float {
    let width = SBRGenerator.lowWidth
    let range = width &* (slots.lowerBound &+ 2)..<width &* (slots.upperBound &+ 2)
    var (even, odd) = (Lanes.zero, Lanes.zero)
    for index in stride(from: range.lowerBound, to: range.upperBound, by: 8) {
      let (re, im) = unsafe (real.lanes(index), imaginary.lanes(index))
      let (nextRe, nextIm) = unsafe (real.lanes(index &+ 4), imaginary.lanes(index &+ 4))
      even += re * re + im * im
      odd += nextRe * nextRe + nextIm * nextIm
    }
    return (even + odd).total / Float(slots.count)
  }
}
