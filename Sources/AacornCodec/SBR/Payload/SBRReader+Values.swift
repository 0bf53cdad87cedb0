/// The scalefactors of envelopes and noise floors.
extension SBRReader {
  /// Reads sbr_envelope (table 4.73).
  mutating func readEnvelopes(
    _ bits: inout BitReader, _ tables: SBRTables, _ channel: Int
  ) -> Bool {
    let isBalance = isCoupled && channel == 1
    let isCoarse = channels[channel].isCoarse
    let grid = channels[channel].grid
    let coding = SBRValueCoding(ofEnvelopes: isBalance, isCoarse: isCoarse)
    let fade = isBalance ? 0 : SBRPreviousData.fade(isCoarse: isCoarse)
    let odd = tables.bandCount(isHigh: true) & 1
    if isCoarse != previous[channel].isCoarse { checkSteps(channel) }
    for envelope in 0..<grid.envelopeCount {
      let isHigh = grid.isHigh(envelope)
      let wasHigh = envelope == 0 ? previous[channel].isHigh : grid.isHigh(envelope - 1)
      let count = tables.bandCount(isHigh: isHigh)
      let offset = envelope * SBRTables.maxBandCount
      let isInTime = envelopesInTime[channel] >> UInt8(envelope) & 1 != 0
      let isTrusted = references[channel].envelope
      let start = bits.position
      let isValid = coding.read(
        &bits, isInTime: isInTime, count: count, fade: isTrusted ? nil : fade
      ) { band in
        let source = SBRPreviousData.band(band, isHigh: isHigh, wasHigh: wasHigh, odd: odd)
        return envelope == 0
          ? previous[channel].level(source, isCoarse: isCoarse)
          : channels[channel].envelopes[offset - SBRTables.maxBandCount + source]
      } store: { band, value in
        channels[channel].envelopes[offset + band] = value
      }
      guard isValid else { return false }
      if !isInTime {
        references[channel].envelope = true
      } else if isTrusted {
        let values = channels[channel].envelopes
        let other = coding.bitCountInFrequency(count: count) { values[offset + $0] }
        detectSplice(bits.position - start, other)
      }
    }
    return true
  }

  /// Detects a change of the step size without an envelope in frequency.
  ///
  /// After a change of the step size, encoders code the first envelope in frequency. If it is coded
  /// in time, the frame does not follow the last one.
  private mutating func checkSteps(_ channel: Int) {
    guard references[channel].envelope, envelopesInTime[channel] & 1 != 0 else { return }
    references[channel] = ReferenceState()
    isDiscontinuous = true
  }

  /// Detects a splice from the `bitCount` of differences in time.
  ///
  /// Coded in frequency, the values would need `other` bits, and encoders choose the direction with
  /// fewer bits. After a splice, for example, the large differences of an onset are added to audio
  /// that is already loud. Coded in frequency, the resulting values would need far fewer bits.
  private mutating func detectSplice(_ bitCount: Int, _ other: Int) {
    // Neighboring bands never differ by more than the maximum in the book of differences in
    // frequency.
    if 4 * bitCount > 5 * other || other >= SBRValueCoding.impossibleBitCount {
      looksSpliced = true
    }
  }

  /// Reads sbr_noise (table 4.74).
  mutating func readNoise(
    _ bits: inout BitReader, _ tables: SBRTables, _ channel: Int
  ) -> Bool {
    let coding = SBRValueCoding(ofNoise: isCoupled && channel == 1)
    for floor in 0..<channels[channel].grid.noiseCount {
      let isInTime = noiseInTime[channel] >> UInt8(floor) & 1 != 0
      let isValid = coding.read(
        &bits, isInTime: isInTime, count: tables.noiseCount,
        fade: references[channel].noise ? nil : 0
      ) { band in
        floor == 0 ? previous[channel].noise[band] : channels[channel].noise[band]
      } store: { band, value in
        channels[channel].noise[8 * floor + band] = value
      }
      guard isValid else { return false }
      if !isInTime { references[channel].noise = true }
    }
    return true
  }
}
