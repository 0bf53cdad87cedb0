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
