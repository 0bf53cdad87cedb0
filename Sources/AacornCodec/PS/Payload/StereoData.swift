/// The ps_data of a frame (ISO/IEC 14496-3, table 8.9): differences, as they are coded.
///
/// Its arrays have room for the maximum, so that reading allocates nothing.
struct StereoData: Sendable {
  static let maxEnvelopes = 4
  /// The maximum number of bands of a parameter, and the distance between envelopes.
  static let stride = 34

  /// One kind of parameter.
  struct Values: Sendable {
    /// Whether each envelope's differences refer to the previous envelope, not to the band below.
    var isTimeCoded = [Bool](repeating: false, count: maxEnvelopes)
    var differences = [Int8](repeating: 0, count: maxEnvelopes * stride)
  }

  /// The state of the extension with phases.
  enum Phases: Sendable {
    /// There is no extension.
    case absent
    /// The extension states that there are no phases.
    case off
    /// The extension contains phases.
    case on
  }

  var hasHeader = false
  /// The header of the frame, or the last one received.
  var header = StereoHeader()
  /// Whether borders are sent (frame_class 1); otherwise envelopes have equal lengths.
  var hasBorders = false
  /// The number of envelopes of the frame, 0...4; with 0 the parameters stay.
  var envelopeCount = 0
  /// The last slot of each envelope, if borders are sent.
  var borders = [UInt8](repeating: 0, count: maxEnvelopes)
  /// iid_data: levels, −7...7 or, fine, −15...15.
  var levels = Values()
  /// icc_data: coherences, 0...7.
  var coherences = Values()
  /// The phases of the extension, if the data has an extension.
  var phases = Phases.absent
  /// ipd_data: phases between the channels, modulo 8.
  var phaseDifferences = Values()
  /// opd_data: phases of the left channel relative to the mono signal, modulo 8.
  var overallPhases = Values()
}

extension StereoData {
  /// Reads ps_data of at most `bitCount` bits, with the last header as default.
  ///
  /// Returns false if the data is damaged; its content must then be ignored.
  mutating func read(_ bits: inout BitReader, bitCount: Int, after last: StereoHeader?) -> Bool {
    let start = bits.position
    hasHeader = bits.readFlag()
    phases = .absent
    envelopeCount = 0
    if hasHeader {
      header = last ?? StereoHeader()
      if !readHeader(&bits) { return false }
    } else if let last {
      header = last
    } else {
      // Without a header the remaining data cannot be read, and is not needed.
      return true
    }
    if !readEnvelopes(&bits) { return false }
    if header.hasLevels {
      Self.readValues(
        &levels, envelopeCount: envelopeCount, from: &bits, count: header.levelResolution.bandCount,
        book: header.levelBook, timeBook: header.levelTimeBook)
    }
    if header.hasCoherences {
      Self.readValues(
        &coherences, envelopeCount: envelopeCount, from: &bits,
        count: header.coherenceResolution.bandCount, book: StereoBooks.coherence,
        timeBook: StereoBooks.coherenceTime)
    }
    if header.hasExtension && !readExtensions(&bits) { return false }
    return !bits.isOverrun && bits.position - start <= bitCount
  }

  /// Reads the fields after enable_ps_header.
  private mutating func readHeader(_ bits: inout BitReader) -> Bool {
    header.hasLevels = bits.readFlag()
    if header.hasLevels { header.levelMode = bits.readInt(3) }
    header.hasCoherences = bits.readFlag()
    if header.hasCoherences { header.coherenceMode = bits.readInt(3) }
    header.hasExtension = bits.readFlag()
    return header.levelMode <= 5 && header.coherenceMode <= 5
  }

  private mutating func readEnvelopes(_ bits: inout BitReader) -> Bool {
    hasBorders = bits.readFlag()
    let index = bits.readInt(2)
    if !hasBorders {
      envelopeCount = index == 3 ? 4 : index
      return true
    }
    envelopeCount = index + 1
    for envelope in 0..<envelopeCount {
      borders[envelope] = UInt8(bits.readInt(5))
      if envelope > 0 && borders[envelope] < borders[envelope - 1] { return false }
    }
    return true
  }

  private static func readValues(
    _ values: inout Values, envelopeCount: Int, from bits: inout BitReader, count: Int,
    book: PrefixCode, timeBook: PrefixCode
  ) {
    for envelope in 0..<envelopeCount {
      readEnvelope(&values, at: envelope, from: &bits, count: count, book: book, timeBook: timeBook)
    }
  }

  private static func readEnvelope(
    _ values: inout Values, at envelope: Int, from bits: inout BitReader, count: Int,
    book: PrefixCode, timeBook: PrefixCode
  ) {
    let isTimeCoded = bits.readFlag()
    values.isTimeCoded[envelope] = isTimeCoded
    for band in 0..<count {
      let difference = (isTimeCoded ? timeBook : book).read(&bits)
      values.differences[envelope * stride + band] = Int8(truncatingIfNeeded: difference)
    }
  }

  /// Reads extensions; skips all except the phases.
  private mutating func readExtensions(_ bits: inout BitReader) -> Bool {
    var size = bits.readInt(4)
    if size == 15 { size += bits.readInt(8) }
    let end = bits.position + size * 8
    while end - bits.position > 7 && !bits.isOverrun {
      if bits.readInt(2) == 0 { readPhases(&bits) }
    }
    if bits.position > end { return false }
    bits.skip(end - bits.position)
    return true
  }

  /// Reads ps_extension_v0.
  private mutating func readPhases(_ bits: inout BitReader) {
    phases = bits.readFlag() ? .on : .off
    if phases == .on {
      let count = header.levelResolution.phaseBandCount
      for envelope in 0..<envelopeCount {
        Self.readEnvelope(
          &phaseDifferences, at: envelope, from: &bits, count: count,
          book: StereoBooks.phaseDifference, timeBook: StereoBooks.phaseDifferenceTime)
        Self.readEnvelope(
          &overallPhases, at: envelope, from: &bits, count: count, book: StereoBooks.overallPhase,
          timeBook: StereoBooks.overallPhaseTime)
      }
    }
    // reserved_ps.
    bits.skip(1)
  }
}

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
      levels.put(
        envelopeCount, count: header.levelResolution.bandCount, book: header.levelBook,
        timeBook: header.levelTimeBook, to: &sink)
    }
    if header.hasCoherences {
      coherences.put(
        envelopeCount, count: header.coherenceResolution.bandCount, book: StereoBooks.coherence,
        timeBook: StereoBooks.coherenceTime, to: &sink)
    }
  }
}

extension StereoHeader {
  var levelBook: PrefixCode { hasFineLevels ? StereoBooks.fineLevel : StereoBooks.level }

  var levelTimeBook: PrefixCode {
    hasFineLevels ? StereoBooks.fineLevelTime : StereoBooks.levelTime
  }
}

extension StereoData.Values {
  fileprivate func put(
    _ envelopeCount: Int, count: Int, book: PrefixCode, timeBook: PrefixCode,
    to sink: inout some BitSink
  ) {
    for envelope in 0..<envelopeCount {
      let isTimeCoded = self.isTimeCoded[envelope]
      sink.put(isTimeCoded ? 1 : 0, count: 1)
      let book = isTimeCoded ? timeBook : book
      for band in 0..<count {
        book.put(Int(differences[envelope * StereoData.stride + band]), to: &sink)
      }
    }
  }

  /// Codes a row of indices as differences over bands or to the previous row.
  ///
  /// The previous row is used if that is allowed and needs fewer bits.
  ///
  /// Rows have `StereoData.stride` indices; row e + 1 belongs to envelope e.
  mutating func code(
    _ envelope: Int, of rows: [Int8], count: Int, book: PrefixCode, timeBook: PrefixCode,
    allowsTime: Bool
  ) {
    let start = envelope * StereoData.stride
    let row = start + StereoData.stride
    var (bits, timeBits) = (0, 0)
    var below = 0
    for band in 0..<count {
      let value = Int(rows[row + band])
      bits += book.bitCount(of: value - below)
      if allowsTime { timeBits += timeBook.bitCount(of: value - Int(rows[start + band])) }
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
