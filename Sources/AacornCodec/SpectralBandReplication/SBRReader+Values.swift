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
    let step = isBalance ? 2 : 1
    let maxLevel = SBRValueCoding.maxLevel(isCoarse: false)
    let fade = isCoarse ? 1 : 2
    let odd = tables.bandCount(isHigh: true) & 1
    if isCoarse != previous[channel].isCoarse { changeSteps(channel) }
    for envelope in 0..<grid.envelopeCount {
      let isHigh = grid.isHigh(envelope)
      let count = tables.bandCount(isHigh: isHigh)
      let offset = envelope * SBRTables.maxBandCount
      if envelopesInTime[channel] >> UInt8(envelope) & 1 != 0 {
        let isTrusted = references[channel].envelope
        let wasHigh = previous[channel].isHigh
        let start = bits.position
        for band in 0..<count {
          let source = SBRPreviousData.band(band, isHigh: isHigh, wasHigh: wasHigh, odd: odd)
          let last = Int(previous[channel].envelope[source])
          var value = last + step * coding.inTime.read(&bits)
          if !isTrusted { value = isBalance ? last : max(0, last - fade) }
          guard 0...maxLevel ~= value else { return false }
          channels[channel].envelopes[offset + band] = UInt8(value)
        }
        if isTrusted {
          let values = channels[channel].envelopes
          let other = coding.bitCountInFrequency(count: count) { values[offset + $0] }
          detectSplice(bits.position - start, other)
        }
      } else {
        references[channel].envelope = true
        var value = step * bits.readInt(coding.firstWidth)
        for band in 0..<count {
          if band > 0 { value += step * coding.inFrequency.read(&bits) }
          guard 0...maxLevel ~= value else { return false }
          channels[channel].envelopes[offset + band] = UInt8(value)
        }
      }
      previous[channel].isHigh = isHigh
      for band in 0..<count {
        previous[channel].envelope[band] = channels[channel].envelopes[offset + band]
      }
    }
    return true
  }

  /// Converts the last envelope to the other step size.
  ///
  /// After a change of the step size, encoders code the first envelope in frequency. If it is coded
  /// in time, the frame does not follow the last one.
  private mutating func changeSteps(_ channel: Int) {
    let wasCoarse = previous[channel].isCoarse
    previous[channel].isCoarse = !wasCoarse
    for band in 0..<SBRTables.maxBandCount {
      let value = previous[channel].envelope[band]
      previous[channel].envelope[band] = wasCoarse ? 2 * min(value, 63) : value / 2
    }
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
    let isBalance = isCoupled && channel == 1
    let step = isBalance ? 2 : 1
    let coding = SBRValueCoding(ofNoise: isBalance)
    for floor in 0..<channels[channel].grid.noiseCount {
      let isInTime = noiseInTime[channel] >> UInt8(floor) & 1 != 0
      var value = 0
      for band in 0..<tables.noiseCount {
        if isInTime {
          let difference = step * coding.inTime.read(&bits)
          value = Int(previous[channel].noise[band]) + (references[channel].noise ? difference : 0)
        } else if band == 0 {
          value = step * bits.readInt(coding.firstWidth)
        } else {
          value += step * coding.inFrequency.read(&bits)
        }
        guard 0...SBRValueCoding.maxNoiseLevel ~= value else { return false }
        channels[channel].noise[8 * floor + band] = UInt8(value)
        previous[channel].noise[band] = UInt8(value)
      }
      if !isInTime { references[channel].noise = true }
    }
    return true
  }
}
