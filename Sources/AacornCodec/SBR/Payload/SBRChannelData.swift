/// The sbr_data of one channel in one frame, with values instead of the coded differences.
struct SBRChannelData: Sendable {
  static let maxNoiseBandCount = 5

  /// The borders of envelopes and noise floors.
  var grid = SBRGrid()
  /// Whether steps are 3 dB rather than 1.5 dB in this frame.
  var isCoarse = false
  /// The inverse filtering mode of each noise band, 0…3 (bs_invf_mode).
  var inverseFiltering = SIMD8<UInt8>()
  /// Envelope e's scalefactors from e · `SBRTables.maxBandCount`; a balance is twice the coded
  /// value.
  var envelopes = [UInt8](repeating: 0, count: SBRGrid.maxEnvelopeCount * SBRTables.maxBandCount)
  /// Noise floor q's scalefactors from q · 8; a balance is twice the coded value.
  var noise = SIMD16<UInt8>()
  /// The bands of high resolution with a sine: bit b is band b (bs_add_harmonic).
  var harmonics: UInt64 = 0
}

/// The reference of differences in time: the last envelope and noise floor of a channel.
struct SBRPreviousData: Sendable {
  var envelope = [UInt8](repeating: 0, count: SBRTables.maxBandCount)
  var isHigh = false
  /// Whether steps are 3 dB rather than 1.5 dB.
  var isCoarse = false
  var noise = SIMD8<UInt8>()

  /// Copies the last envelope and the last noise floor of a frame.
  mutating func record(_ data: SBRChannelData, _ tables: SBRTables) {
    let last = data.grid.envelopeCount - 1
    isHigh = data.grid.isHigh(last)
    isCoarse = data.isCoarse
    for band in 0..<tables.bandCount(isHigh: isHigh) {
      envelope[band] = data.envelopes[last * SBRTables.maxBandCount + band]
    }
    noise = data.grid.noiseCount > 1 ? data.noise.highHalf : data.noise.lowHalf
  }

  /// Lowers the levels as in a frame without data.
  mutating func fade() {
    let fade = UInt8(SpliceGuard.fade(isCoarse: isCoarse))
    for band in 0..<SBRTables.maxBandCount { envelope[band] -= min(fade, envelope[band]) }
  }

  /// Returns the level of a band in steps of 3 dB, or of 1.5 dB.
  @inline(__always)
  func level(_ band: Int, isCoarse: Bool) -> UInt8 {
    let level = envelope[band]
    if isCoarse == self.isCoarse { return level }
    return isCoarse ? level / 2 : 2 * min(level, 63)
  }

  /// Returns the band of the last envelope at the frequency of a band of the next (4.6.18.3.6).
  ///
  /// `isHigh` is the resolution of the next envelope, `wasHigh` the resolution of the last one.
  /// `odd` is 1 if the number of bands of high resolution is odd.
  @inline(__always)
  static func band(_ band: Int, isHigh: Bool, wasHigh: Bool, odd: Int) -> Int {
    if isHigh == wasHigh { return band }
    if isHigh { return (band + odd) >> 1 }
    return band == 0 ? 0 : 2 * band - odd
  }
}

/// The simplification of a frame's data.
extension SBRChannelData {
  /// Joins all envelopes to one of low resolution, and the noise floors to one.
  ///
  /// The result fits in a payload that has no room for the original. The start and the end of the
  /// frame do not change, nor does a transient at the start of the next one. `isCoarse` and
  /// `tables` belong to the header. Call `SBRWriter.limit` afterwards.
  mutating func joinEnvelopes(isCoarse: Bool, tables: SBRTables) {
    var borders = SIMD8<UInt8>()
    borders[0] = UInt8(grid.start)
    borders[1] = UInt8(grid.end)
    let isBeforeTransient = grid.transient == grid.envelopeCount
    guard
      let joined = SBRGrid(
        borders: borders, envelopeCount: 1, transient: isBeforeTransient ? 1 : -1, resolutions: 0)
    else { return }
    let wasCoarse = self.isCoarse
    let odd = tables.bandCount(isHigh: true) & 1
    self.isCoarse = isCoarse && !joined.hasFineSteps
    for band in 0..<tables.bandCount(isHigh: false) {
      var sum = 0
      for envelope in 0..<grid.envelopeCount {
        let source = SBRPreviousData.band(
          band, isHigh: false, wasHigh: grid.isHigh(envelope), odd: odd)
        sum += Int(envelopes[envelope * SBRTables.maxBandCount + source])
      }
      let mean = sum / grid.envelopeCount
      // Later bands do not read this element: their sources have higher indices.
      envelopes[band] = UInt8(
        clamping: wasCoarse == self.isCoarse ? mean : wasCoarse ? 2 * mean : mean / 2)
    }
    if grid.noiseCount == 2 {
      for band in 0..<tables.noiseCount {
        noise[band] = UInt8((Int(noise[band]) + Int(noise[8 + band])) / 2)
      }
    }
    grid = joined
  }
}
