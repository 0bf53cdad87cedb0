/// What sbr_data says about one channel in one frame, as it is coded but for differences.
struct SBRChannelData: Sendable {
  /// Most noise bands.
  static let mostNoiseBands = 5

  /// When envelopes begin and end.
  var grid = SBRGrid()
  /// Steps of 3 dB rather than 1.5 dB in this frame.
  var isCoarse = false
  /// How much of the tonality of each noise band is taken away, 0…3 (bs_invf_mode).
  var inverseFiltering = SIMD8<UInt8>()
  /// Envelope e's scalefactors from e · `SBRTables.mostBands`; balance is already doubled.
  var envelopes = [UInt8](repeating: 0, count: SBRGrid.mostEnvelopes * SBRTables.mostBands)
  /// Noise floor q's scalefactors from q · 8; balance is already doubled.
  var noise = SIMD16<UInt8>()
  /// Bit b: a sine in the band b of high resolution (bs_add_harmonic).
  var harmonics: UInt64 = 0
}

/// What differences in time refer to: the last envelope and noise floor of a channel.
struct SBRPreviousData: Sendable {
  var envelope = [UInt8](repeating: 0, count: SBRTables.mostBands)
  var isHigh = false
  /// Steps of 3 dB rather than 1.5 dB.
  var isCoarse = false
  var noise = SIMD8<UInt8>()

  /// The band of the last envelope at the frequency of a band of the next (4.6.18.3.6).
  ///
  /// `isHigh` is the resolution of the next envelope, `wasHigh` that of the last, and `odd` 1 if the
  /// number of bands of high resolution is.
  @inline(__always)
  static func band(_ band: Int, isHigh: Bool, wasHigh: Bool, odd: Int) -> Int {
    if isHigh == wasHigh { return band }
    if isHigh { return (band + odd) >> 1 }
    return band == 0 ? 0 : 2 * band - odd
  }
}
