extension StereoHeader {
  /// Writes the fields after enable_ps_header (ISO/IEC 14496-3, table 8.9).
  func put(to sink: inout some BitSink) {
    sink.put(hasLevels ? 1 : 0, count: 1)
    if hasLevels { sink.put(UInt32(levelMode), count: 3) }
    sink.put(hasCoherences ? 1 : 0, count: 1)
    if hasCoherences { sink.put(UInt32(coherenceMode), count: 3) }
    sink.put(hasExtension ? 1 : 0, count: 1)
  }
}

extension StereoData {
  /// Writes ps_data (ISO/IEC 14496-3, table 8.9), without extensions: the counterpart of `read`.
  ///
  /// With fixed borders there are 0, 1, 2 or 4 envelopes, with coded borders 1...4.
  func put(to sink: inout some BitSink) {
    precondition(!header.hasExtension && phases == .absent)
    precondition(envelopeCount >= (hasBorders ? 1 : 0) && envelopeCount <= Self.maxEnvelopes)
    precondition(hasBorders || envelopeCount != 3)
    sink.put(hasHeader ? 1 : 0, count: 1)
    if hasHeader { header.put(to: &sink) }
    sink.put(hasBorders ? 1 : 0, count: 1)
    if hasBorders {
      sink.put(UInt32(envelopeCount - 1), count: 2)
      for envelope in 0..<envelopeCount { sink.put(UInt32(borders[envelope]), count: 5) }
    } else {
      sink.put(UInt32(envelopeCount == 4 ? 3 : envelopeCount), count: 2)
    }
    if header.hasLevels {
      let count = header.levelResolution.bandCount
      for envelope in 0..<envelopeCount {
        levels.put(envelope, count: count, header.levelWords, header.levelTimeWords, to: &sink)
      }
    }
    if header.hasCoherences {
      let count = header.coherenceResolution.bandCount
      for envelope in 0..<envelopeCount {
        coherences.put(
          envelope, count: count, StereoCodewords.coherenceWords,
          StereoCodewords.coherenceTimeWords, to: &sink)
      }
    }
  }
}

extension StereoHeader {
  var levelWords: [UInt32] {
    hasFineLevels ? StereoCodewords.fineLevelWords : StereoCodewords.levelWords
  }

  var levelTimeWords: [UInt32] {
    hasFineLevels ? StereoCodewords.fineLevelTimeWords : StereoCodewords.levelTimeWords
  }
}

extension StereoData.Values {
  fileprivate func put(
    _ envelope: Int, count: Int, _ words: [UInt32], _ timeWords: [UInt32],
    to sink: inout some BitSink
  ) {
    let isTimeCoded = self.isTimeCoded[envelope]
    sink.put(isTimeCoded ? 1 : 0, count: 1)
    let words = isTimeCoded ? timeWords : words
    let middle = words.count / 2
    for band in 0..<count {
      let difference = Int(differences[envelope * StereoData.stride + band])
      let word = words[middle + difference]
      sink.put(word & 0xFF_FFFF, count: Int(word >> 24))
    }
  }

  /// Codes a row of indices as differences over bands or to the previous row.
  ///
  /// The previous row is used if that is allowed and needs fewer bits.
  ///
  /// Rows have `StereoData.stride` indices; row e + 1 belongs to envelope e.
  mutating func code(
    _ envelope: Int, of rows: [Int8], count: Int, _ words: [UInt32], _ timeWords: [UInt32],
    allowsTime: Bool
  ) {
    let start = envelope * StereoData.stride
    let row = start + StereoData.stride
    let middle = words.count / 2
    var (bits, timeBits) = (0, 0)
    var below = 0
    for band in 0..<count {
      let value = Int(rows[row + band])
      bits += Int(words[middle + value - below] >> 24)
      if allowsTime { timeBits += Int(timeWords[middle + value - Int(rows[start + band])] >> 24) }
      below = value
    }
    let isTimeCoded = allowsTime && timeBits < bits
    self.isTimeCoded[envelope] = isTimeCoded
    below = 0
    for band in 0..<count {
      let value = rows[row + band]
      differences[start + band] = value - (isTimeCoded ? rows[start + band] : Int8(below))
      below = Int(value)
    }
  }
}
