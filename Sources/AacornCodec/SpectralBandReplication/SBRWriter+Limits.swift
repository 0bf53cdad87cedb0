/// What can be written of scalefactors.
extension SBRWriter {
  /// Makes what cannot be written writable, and changes as little as possible.
  ///
  /// Scalefactors come into their range. Between neighboring bands there may be as much as the book
  /// has; the softer one is raised, by which nothing is lost that could be heard beside the other.
  /// Differences in time need no limit, since those in frequency can take their place. What the
  /// second channel of a coupled pair shares with the first becomes that of the first.
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
    // Levels have as many as their first field holds, and a balance goes as far as its books.
    let step = SBRValueCoding.greatestStep(isBalance: isBalance, isCoarse: data.isCoarse)
    let greatest = isBalance ? step : data.isCoarse ? 63 : 127
    for envelope in 0..<data.grid.envelopeCount {
      let place = envelope * SBRTables.mostBands
      let count = tables.bandCount(isHigh: data.grid.isHigh(envelope))
      limit(
        &data.envelopes, place..<place + count, greatest: greatest, step: step,
        isBalance: isBalance)
    }
    // The balance of noise has the book of envelopes in steps of 3 dB.
    let most = UInt8(
      isBalance ? SBRValueCoding.greatestStep(isBalance: true, isCoarse: true) : 30)
    for place in data.noise.indices {
      data.noise[place] = min(data.noise[place], most) & (isBalance ? 0xFE : 0xFF)
    }
    data.harmonics &= (1 << UInt64(tables.bandCount(isHigh: true))) - 1
  }

  /// Limits one envelope, whose place among all is `bands`.
  private static func limit(
    _ values: inout [UInt8], _ bands: Range<Int>, greatest: Int, step: Int, isBalance: Bool
  ) {
    for band in bands {
      values[band] = min(values[band], UInt8(greatest)) & (isBalance ? 0xFE : 0xFF)
    }
    for band in bands.dropFirst() {
      values[band] = UInt8(max(Int(values[band]), Int(values[band - 1]) - step))
    }
    for band in bands.dropLast().reversed() {
      values[band] = UInt8(max(Int(values[band]), Int(values[band + 1]) - step))
    }
  }
}
