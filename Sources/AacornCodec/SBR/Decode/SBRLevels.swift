import AacornSignal

/// The energies of scalefactors (ISO/IEC 14496-3, 4.6.18.3.5 and 4.6.18.3.6).
struct SBRLevels: Sendable {
  /// The energies of envelope e from e · `SBRTables.maxBandCount` (E_orig).
  private(set) var envelopes: [Float]
  /// The levels of noise floor q from q · 8, relative to the signal (Q_orig).
  private(set) var noise = SIMD16<Float>()

  init() {
    envelopes = [Float](repeating: 0, count: SBRGrid.maxEnvelopeCount * SBRTables.maxBandCount)
  }

  /// Sets the levels of an uncoupled channel.
  mutating func set(_ data: SBRChannelData, _ tables: SBRTables) {
    for envelope in 0..<data.grid.envelopeCount {
      let offset = envelope * SBRTables.maxBandCount
      for band in 0..<tables.bandCount(isHigh: data.grid.isHigh(envelope)) {
        envelopes[offset + band] = Self.energy(
          data.envelopes[offset + band], isCoarse: data.isCoarse, factor: 6)
      }
    }
    for floor in 0..<data.grid.noiseCount {
      for band in 0..<tables.noiseCount {
        noise[8 * floor + band] = Self.power(6 - Int(data.noise[8 * floor + band]))
      }
    }
  }

  /// Sets the levels of the left or right channel of a pair whose second channel is the balance.
  mutating func set(
    _ sum: SBRChannelData, balance: SBRChannelData, _ tables: SBRTables, isRight: Bool
  ) {
    let middle = sum.isCoarse ? 12 : 24
    for envelope in 0..<sum.grid.envelopeCount {
      let offset = envelope * SBRTables.maxBandCount
      for band in 0..<tables.bandCount(isHigh: sum.grid.isHigh(envelope)) {
        let total = Self.energy(sum.envelopes[offset + band], isCoarse: sum.isCoarse, factor: 7)
        let ratio = Self.power(
          middle - Int(balance.envelopes[offset + band]), isCoarse: sum.isCoarse)
        let left = total / (1 + ratio)
        envelopes[offset + band] = isRight ? left * ratio : left
      }
    }
    for floor in 0..<sum.grid.noiseCount {
      for band in 8 * floor..<8 * floor + tables.noiseCount {
        let total = Self.power(7 - Int(sum.noise[band]))
        let ratio = Self.power(12 - Int(balance.noise[band]))
        let left = total / (1 + ratio)
        noise[band] = isRight ? left * ratio : left
      }
    }
  }

  /// Returns the energy of all replicated bands of an envelope.
  func energy(_ envelope: Int, _ borders: [Int]) -> Float {
    var sum: Float = 0
    for band in 0..<borders.count - 1 {
      sum +=
        envelopes[envelope * SBRTables.maxBandCount + band]
        * Float(borders[band + 1] - borders[band])
    }
    return sum
  }

  mutating func scale(_ envelope: Int, bandCount: Int, by factor: Float) {
    for band in 0..<bandCount { envelopes[envelope * SBRTables.maxBandCount + band] *= factor }
  }

  /// Returns 2^(`factor` + level in steps); for an exponent above 66, nearly silence.
  private static func energy(_ level: UInt8, isCoarse: Bool, factor: Int) -> Float {
    let exponent = isCoarse ? Int(level) : Int(level) >> 1
    guard exponent + factor <= 66 else { return 1 }
    return power(exponent + factor) * (isCoarse || level & 1 == 0 ? 1 : 1.414_213_562_4)
  }

  /// Returns 2^`steps`, or 2^(`steps` / 2).
  private static func power(_ steps: Int, isCoarse: Bool) -> Float {
    if isCoarse { return power(steps) }
    return power(steps >> 1) * (steps & 1 == 0 ? 1 : 1.414_213_562_4)
  }

  /// Returns 2^`exponent`; exponents below −126 are clamped, and the maximum is 127.
  private static func power(_ exponent: Int) -> Float {
    Float(bitPattern: UInt32(max(exponent, -126) + 127) << 23)
  }
}

/// Limits the energies of a channel's high bands after a probable splice.
///
/// Many streams do not indicate a splice. After a splice, a decoder adds differences in time to the
/// scalefactors of another position, and the sums can have any value. So an envelope that probably
/// depends on a splice is limited: with the low bands, its energy must not exceed a reference
/// energy by more than 2.4 dB. The reference is the energy of the low bands at that time or the
/// maximum energy of the last four frames, whichever is higher. Other envelopes are not limited.
struct SpliceLimiter: Sendable {
  /// The energy of a full-scale square wave in all bands of the filter bank.
  ///
  /// A sine of amplitude 1, in the scale of 16-bit samples, has an energy of 2¹¹.
  private static let fullScale: Float = 0x1p42
  /// The maximum of the energy of all bands relative to the reference energy: 2.4 dB.
  private static let margin: Float = 1.75
  /// The minimum length, in slots, of an envelope with full weight in `recent`: half a frame, about
  /// 20 ms.
  private static let fullWeightSlotCount = 16

  /// The maximum energies of the last four frames, the latest first.
  private var recent = Lanes.zero

  /// Resets the energies of the last frames.
  mutating func reset() { recent = Lanes.zero }

  /// Returns whether an envelope exceeds full scale, which no correct payload does.
  static func exceedsFullScale(_ levels: SBRLevels, _ grid: SBRGrid, _ tables: SBRTables) -> Bool {
    for envelope in 0..<grid.envelopeCount {
      let borders = grid.isHigh(envelope) ? tables.high : tables.low
      if levels.energy(envelope, borders) > fullScale { return true }
    }
    return false
  }

  /// Limits the first `splicedEnvelopeCount` envelopes of a frame.
  ///
  /// The arrays of low bands begin with two slots before slot 0.
  mutating func bound(
    _ levels: inout SBRLevels, _ grid: SBRGrid, _ tables: SBRTables, splicedEnvelopeCount: Int,
    _ lowReal: [Float], _ lowImaginary: [Float]
  ) {
    let end = SBRGenerator.lowWidth * (2 * grid.end + 2)
    precondition(lowReal.count >= end && lowImaginary.count >= end)
    let before = recent.max()
    var maximum: Float = 0
    for envelope in 0..<grid.envelopeCount {
      let slots = 2 * Int(grid.borders[envelope])..<2 * Int(grid.borders[envelope + 1])
      let low = unsafe Self.energy(lowReal, lowImaginary, slots)
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
    let low = unsafe Self.energy(lowReal, lowImaginary, 0..<slotCount)
    recent = Lanes(low, recent[0], recent[1], recent[2])
  }

  /// Returns the mean energy of the low bands in an even number of slots.
  private static func energy(
    _ real: UnsafePointer<Float>, _ imaginary: UnsafePointer<Float>, _ slots: Range<Int>
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
