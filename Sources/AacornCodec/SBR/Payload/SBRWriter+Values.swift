/// The scalefactors of envelopes and noise floors.
extension SBRWriter {
  /// The scalefactors of an envelope, and the reference of their differences in time.
  private struct Row {
    let values, lastValues: [UInt8]
    let offset, lastOffset: Int
    let isHigh, wasHigh: Bool
    let odd: Int

    @inline(__always)
    func value(_ band: Int) -> UInt8 { values[offset + band] }

    @inline(__always)
    func last(_ band: Int) -> UInt8 {
      lastValues[
        lastOffset + SBRPreviousData.band(band, isHigh: isHigh, wasHigh: wasHigh, odd: odd)]
    }
  }

  @inline(__always)
  private func row(
    of data: SBRChannelData, envelope: Int, tables: SBRTables, channel: Int
  ) -> Row {
    let isFirst = envelope == 0
    return Row(
      values: data.envelopes,
      lastValues: isFirst ? last.channels[channel].envelope : data.envelopes,
      offset: envelope * SBRTables.maxBandCount,
      lastOffset: isFirst ? 0 : (envelope - 1) * SBRTables.maxBandCount,
      isHigh: data.grid.isHigh(envelope),
      wasHigh: isFirst ? last.channels[channel].isHigh : data.grid.isHigh(envelope - 1),
      odd: tables.bandCount(isHigh: true) & 1)
  }

  /// Chooses between differences in time and in frequency for each envelope.
  mutating func chooseEnvelopes(
    _ data: SBRChannelData, tables: SBRTables, channel: Int, isFresh: Bool
  ) {
    let grid = data.grid
    precondition(!data.isCoarse || !grid.hasFineSteps)
    let coding = SBRValueCoding.ofEnvelopes(
      isBalance: isCoupled && channel == 1, isCoarse: data.isCoarse)
    var inTime: UInt8 = 0
    for envelope in (isFresh ? 1 : 0)..<grid.envelopeCount {
      let row = row(of: data, envelope: envelope, tables: tables, channel: channel)
      if coding.isCheaperInTime(
        count: tables.bandCount(isHigh: row.isHigh), value: { row.value($0) },
        last: { row.last($0) })
      {
        inTime |= 1 << UInt8(envelope)
      }
    }
    envelopesInTime[channel] = inTime
  }

  /// Chooses between differences in time and in frequency for each noise floor.
  mutating func chooseNoise(
    _ data: SBRChannelData, tables: SBRTables, channel: Int, isFresh: Bool
  ) {
    let coding = SBRValueCoding.ofNoise(isBalance: isCoupled && channel == 1)
    let count = tables.noiseCount
    var inTime: UInt8 = 0
    for floor in (isFresh ? 1 : 0)..<data.grid.noiseCount {
      let (values, last) = floors(of: data, floor: floor, channel: channel)
      if coding.isCheaperInTime(count: count, value: { values[$0] }, last: { last[$0] }) {
        inTime |= 1 << UInt8(floor)
      }
    }
    noiseInTime[channel] = inTime
  }

  /// Returns the scalefactors of a noise floor, and of the previous one.
  @inline(__always)
  private func floors(
    of data: SBRChannelData, floor: Int, channel: Int
  ) -> (SIMD8<UInt8>, SIMD8<UInt8>) {
    floor == 0
      ? (data.noise.lowHalf, last.channels[channel].noise)
      : (data.noise.highHalf, data.noise.lowHalf)
  }

  /// Writes sbr_envelope (table 4.73).
  func putEnvelopes(
    _ bits: inout some BitSink, of data: SBRChannelData, tables: SBRTables, channel: Int
  ) {
    let coding = SBRValueCoding.ofEnvelopes(
      isBalance: isCoupled && channel == 1, isCoarse: data.isCoarse)
    for envelope in 0..<data.grid.envelopeCount {
      let row = row(of: data, envelope: envelope, tables: tables, channel: channel)
      coding.put(
        to: &bits, isInTime: envelopesInTime[channel] >> UInt8(envelope) & 1 != 0,
        count: tables.bandCount(isHigh: row.isHigh), value: { row.value($0) },
        last: { row.last($0) })
    }
  }

  /// Writes sbr_noise (table 4.74).
  func putNoise(
    _ bits: inout some BitSink, of data: SBRChannelData, tables: SBRTables, channel: Int
  ) {
    let coding = SBRValueCoding.ofNoise(isBalance: isCoupled && channel == 1)
    for floor in 0..<data.grid.noiseCount {
      let (values, last) = floors(of: data, floor: floor, channel: channel)
      coding.put(
        to: &bits, isInTime: noiseInTime[channel] >> UInt8(floor) & 1 != 0,
        count: tables.noiseCount, value: { values[$0] }, last: { last[$0] })
    }
  }
}
