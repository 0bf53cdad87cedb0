extension ChannelReader {
  /// spectral_data (ISO/IEC 14496-3, table 4.56), reordered by window.
  ///
  /// In the stream, the windows of a group alternate band by band:
  ///
  ///     stream     group 0: band 0 of window 0, band 0 of window 1, band 1 of window 0, …
  ///     spectrum   window 0: band 0, band 1, …   window 1: band 0, band 1, …
  mutating func readSpectrum(_ channel: inout ParsedChannel) throws(ParseError) {
    let window = channel.window
    let offsets = window.isShort ? bands.short : bands.long
    let windowLength = offsets[offsets.count - 1]
    if keepsSpectrum {
      for _ in 0..<windowLength * (window.isShort ? 8 : 1) { channel.spectrum.append(0) }
    }
    var index = 0
    var firstWindow = 0
    for group in 0..<window.groupCount {
      let windowCount = Int(window.groupLengths[group])
      for band in 0..<window.bandsPerGroup {
        let codebook = Int(channel.codebooks[index])
        index += 1
        guard Codebook.all.contains(codebook) else { continue }
        for window in firstWindow..<firstWindow + windowCount {
          let origin = window * windowLength
          let lines = origin + offsets[band]..<origin + offsets[band + 1]
          if Codebook.hasQuads(codebook) {
            readQuads(codebook, lines, &channel.spectrum)
          } else {
            try readPairs(codebook, lines, &channel.spectrum)
          }
        }
      }
      firstWindow += windowCount
    }
  }

  /// Books 1…4: four lines per codeword.
  private mutating func readQuads(
    _ codebook: Int, _ lines: Range<Int>, _ spectrum: inout [Int32]
  ) {
    let table = DecodingTables.spectral(codebook)
    let isSigned = Codebook.hasSigns(codebook)
    var line = lines.lowerBound
    while line < lines.upperBound {
      let next = bits.next32
      let entry = Self.entry(next, table)
      let length = entry & 31
      let signCount = isSigned ? 0 : (entry &>> 5) & 7
      bits.skip(Int(length &+ signCount))
      if keepsSpectrum && entry &>> 16 != 0 {
        var signs = isSigned ? 0 : next &<< length
        for offset in 0..<4 {
          let value = Int32(bitPattern: entry &<< UInt32(4 &* offset)) &>> 28
          spectrum[line + offset] = Self.applySign(&signs, to: value)
        }
      }
      line &+= 4
    }
  }

  /// Books 5…11: two lines per codeword, with escape sequences in book 11.
  private mutating func readPairs(
    _ codebook: Int, _ lines: Range<Int>, _ spectrum: inout [Int32]
  ) throws(ParseError) {
    let table = DecodingTables.spectral(codebook)
    let isSigned = Codebook.hasSigns(codebook)
    let hasEscapes = codebook == Int(Codebook.escape)
    var line = lines.lowerBound
    while line < lines.upperBound {
      let next = bits.next32
      let entry = Self.entry(next, table)
      let length = entry & 31
      let signCount = isSigned ? 0 : (entry &>> 5) & 7
      bits.skip(Int(length &+ signCount))
      var first = Int32(bitPattern: entry) &>> 24
      var second = Int32(bitPattern: entry &<< 8) &>> 24
      if hasEscapes {
        if first == Codebook.escapeMark { first = try readEscape() }
        if second == Codebook.escapeMark { second = try readEscape() }
      }
      if keepsSpectrum {
        var signs = isSigned ? 0 : next &<< length
        spectrum[line] = Self.applySign(&signs, to: first)
        spectrum[line + 1] = Self.applySign(&signs, to: second)
      }
      line &+= 2
    }
  }

  /// Applies a sign from the top of `signs` if `value` is not zero.
  @inline(__always)
  private static func applySign(_ signs: inout UInt32, to value: Int32) -> Int32 {
    if value == 0 { return 0 }
    let isNegative = signs &>> 31 != 0
    signs = signs &<< 1
    return isNegative ? 0 &- value : value
  }

  /// An escape sequence: N ones, a zero, and the N + 4 bits below a leading one (4.6.3.3).
  private mutating func readEscape() throws(ParseError) -> Int32 {
    let ones = (~bits.next32).leadingZeroBitCount
    if ones > 8 { throw failure(.escapeTooLong) }
    bits.skip(ones + 1)
    return Int32(truncatingIfNeeded: 1 << (ones + 4) + bits.readInt(ones + 4))
  }
}
