/// The limits of scalefactors that can be written.
extension SBRWriter {
  /// Changes values that cannot be written, as little as possible.
  ///
  /// Scalefactors are clamped to their range. Neighboring bands may differ by the maximum in the
  /// book; the softer one is raised, which is inaudible next to the other. Differences in time need
  /// no limit, since differences in frequency can replace them. Data that a coupled pair shares is
  /// copied from the first channel to the second.
  static func limit(
    _ channels: inout [SBRChannelData], isCoupled: Bool, tables: SBRTables
  ) {
    if isCoupled {
      channels[1].grid = channels[0].grid
      channels[1].isCoarse = channels[0].isCoarse
      channels[1].inverseFiltering = channels[0].inverseFiltering
    }
    for channel in channels.indices {
      limit(&channels[channel], isBalance: isCoupled && channel == 1, tables)
    }
  }

  private static func limit(
    _ data: inout SBRChannelData, isBalance: Bool, _ tables: SBRTables
  ) {
    // Levels are limited by the width of their first value's field, a balance by its books.
    let step = SBRValueCoding.maxStep(isBalance: isBalance, isCoarse: data.isCoarse)
    let maximum = isBalance ? step : data.isCoarse ? 63 : 127
    for envelope in 0..<data.grid.envelopeCount {
      let offset = envelope * SBRTables.maxBandCount
      let count = tables.bandCount(isHigh: data.grid.isHigh(envelope))
      limit(
        &data.envelopes, offset..<offset + count, maximum: maximum, step: step,
        isBalance: isBalance)
    }
    // The balance of noise uses the book of envelopes in steps of 3 dB.
    let maxNoise = UInt8(
      isBalance ? SBRValueCoding.maxStep(isBalance: true, isCoarse: true) : 30)
    for index in data.noise.indices {
      data.noise[index] = min(data.noise[index], maxNoise) & (isBalance ? 0xFE : 0xFF)
    }
    data.harmonics &= (1 << UInt64(tables.bandCount(isHigh: true))) - 1
  }

  /// Limits one envelope, whose range among all is `bands`.
  private static func limit(
    _ values: inout [UInt8], _ bands: Range<Int>, maximum: Int, step: Int, isBalance: Bool
  ) {
    for band in bands {
      values[band] = min(values[band], UInt8(maximum)) & (isBalance ? 0xFE : 0xFF)
    }
    for band in bands.dropFirst() {
      values[band] = UInt8(max(Int(values[band]), Int(values[band - 1]) - step))
    }
    for band in bands.dropLast().reversed() {
      values[band] = UInt8(max(Int(values[band]), Int(values[band + 1]) - step))
    }
  }
}
