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
      let fine = header.hasFineLevels
      Self.readValues(
        &levels, envelopeCount, &bits, count: header.levelResolution.bandCount,
        fine ? StereoTables.fineLevelBook : StereoTables.levelBook,
        fine ? StereoTables.fineLevelTimeBook : StereoTables.levelTimeBook)
    }
    if header.hasCoherences {
      Self.readValues(
        &coherences, envelopeCount, &bits, count: header.coherenceResolution.bandCount,
        StereoTables.coherenceBook, StereoTables.coherenceTimeBook)
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
    _ values: inout Values, _ envelopeCount: Int, _ bits: inout BitReader, count: Int,
    _ book: [UInt32], _ timeBook: [UInt32]
  ) {
    for envelope in 0..<envelopeCount {
      readEnvelope(&values, envelope, &bits, count: count, book, timeBook)
    }
  }

  private static func readEnvelope(
    _ values: inout Values, _ envelope: Int, _ bits: inout BitReader, count: Int, _ book: [UInt32],
    _ timeBook: [UInt32]
  ) {
    let isTimeCoded = bits.readFlag()
    values.isTimeCoded[envelope] = isTimeCoded
    for band in 0..<count {
      values.differences[envelope * stride + band] = symbol(&bits, isTimeCoded ? timeBook : book)
    }
  }

  @inline(__always)
  private static func symbol(_ bits: inout BitReader, _ book: [UInt32]) -> Int8 {
    let next = bits.next32
    var entry = book[Int(next &>> 24)]
    var taken: UInt32 = 8
    while entry & 0x100 != 0 {
      let more = entry & 31
      let rest = (next &<< taken) &>> (32 &- more)
      taken &+= more
      entry = book[Int(entry &>> 16 &+ rest)]
    }
    bits.skip(Int(entry & 31))
    return Int8(truncatingIfNeeded: Int32(bitPattern: entry) &>> 16)
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
          &phaseDifferences, envelope, &bits, count: count, StereoTables.phaseDifferenceBook,
          StereoTables.phaseDifferenceTimeBook)
        Self.readEnvelope(
          &overallPhases, envelope, &bits, count: count, StereoTables.overallPhaseBook,
          StereoTables.overallPhaseTimeBook)
      }
    }
    bits.skip(1)
  }
}
