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
