extension ChannelReader {
  /// spectral_data (ISO/IEC 14496-3, table 4.56), reordered by window.
  ///
  /// In the stream, the windows of a group alternate band by band:
  ///
  ///     stream     group 0: band 0 of window 0, band 0 of window 1, band 1 of window 0, …
  ///     spectrum   window 0: band 0, band 1, …   window 1: band 0, band 1, …
  mutating func readSpectrum(_ channel: inout ParsedChannel) throws(ParseError) {
    let offsets = channel.window.isShort ? bands.short : bands.long
    if keepsSpectrum {
      unsafe Self.clear(&channel.spectrum, bands.long[bands.long.count - 1])
    } else {
      channel.spectrum.removeAll(keepingCapacity: true)
    }
    let windowLength = offsets[offsets.count - 1]
    var index = 0
    var firstWindow = 0
    for group in 0..<channel.window.groupCount {
      let windowCount = Int(channel.window.groupLengths[group])
      for band in 0..<channel.window.bandsPerGroup {
        let codebook = Int(channel.codebooks[index])
        index += 1
        guard Codebook.all.contains(codebook) else { continue }
        let table = DecodingTables.spectral(codebook)
        let width = offsets[band + 1] - offsets[band]
        for window in firstWindow..<firstWindow + windowCount {
          let start = window * windowLength + offsets[band]
          precondition(!keepsSpectrum || start + width <= channel.spectrum.count)
          if Codebook.hasQuads(codebook) {
            unsafe readQuads(codebook, table, width, &channel.spectrum, start)
          } else if !(unsafe readPairs(codebook, table, width, &channel.spectrum, start)) {
            throw failure(.escapeTooLong)
          }
        }
      }
      firstWindow += windowCount
    }
  }

  /// Makes the spectrum `count` zeros.
  private static func clear(_ spectrum: inout [Int32], _ count: Int) {
    while spectrum.count < count { spectrum.append(0) }
    unsafe spectrum.withUnsafeMutableBufferPointer { lines in
      for line in unsafe lines.indices { unsafe lines[line] = 0 }
    }
  }

  /// Books 1…4: four lines per codeword.
  private mutating func readQuads(
    _ codebook: Int, _ table: UnsafePointer<UInt32>, _ count: Int,
    _ spectrum: UnsafeMutablePointer<Int32>, _ start: Int
  ) {
    let isSigned = Codebook.hasSigns(codebook)
    let lines = unsafe spectrum + start
    var line = 0
    while line < count {
      let next = bits.next32
      let entry = unsafe Self.lookUp(next, table)
      let length = entry & 31
      let signCount = isSigned ? 0 : (entry &>> 5) & 7
      bits.skip(Int(length &+ signCount))
      if keepsSpectrum && entry &>> 16 != 0 {
        var signs = isSigned ? 0 : next &<< length
        for offset in 0..<4 {
          let value = Int32(bitPattern: entry &<< UInt32(4 &* offset)) &>> 28
          unsafe lines[line &+ offset] = Self.applySign(&signs, to: value)
        }
      }
      line &+= 4
    }
  }

  /// Books 5…11: two lines per codeword, with escape sequences in book 11. Returns whether all of
  /// these are short enough.
  private mutating func readPairs(
    _ codebook: Int, _ table: UnsafePointer<UInt32>, _ count: Int,
    _ spectrum: UnsafeMutablePointer<Int32>, _ start: Int
  ) -> Bool {
    let isSigned = Codebook.hasSigns(codebook)
    let hasEscapes = codebook == Int(Codebook.escape)
    let lines = unsafe spectrum + start
    var line = 0
    while line < count {
      let next = bits.next32
      let entry = unsafe Self.lookUp(next, table)
      let length = entry & 31
      let signCount = isSigned ? 0 : (entry &>> 5) & 7
      bits.skip(Int(length &+ signCount))
      var first = Int32(bitPattern: entry) &>> 24
      var second = Int32(bitPattern: entry &<< 8) &>> 24
      if hasEscapes {
        if first == Codebook.escapeMark { first = readEscape() }
        if second == Codebook.escapeMark { second = readEscape() }
        if first < 0 || second < 0 { return false }
      }
      if keepsSpectrum {
        var signs = isSigned ? 0 : next &<< length
        unsafe lines[line] = Self.applySign(&signs, to: first)
        unsafe lines[line &+ 1] = Self.applySign(&signs, to: second)
      }
      line &+= 2
    }
    return true
  }

  /// As `entry`, of a table that is known to hold what its links point to.
  @inline(__always)
  private static func lookUp(_ next: UInt32, _ table: UnsafePointer<UInt32>) -> UInt32 {
    let entry = unsafe table[Int(next &>> 24)]
    if entry & 0x100 == 0 { return entry }
    let rest = (next &<< 8) &>> (32 &- entry & 31)
    return unsafe table[Int(entry &>> 16 &+ rest)]
  }

  /// Applies a sign from the top of `signs` if `value` is not zero.
  @inline(__always)
  private static func applySign(_ signs: inout UInt32, to value: Int32) -> Int32 {
    // All ones if there is a sign and it is set; without branches, because signs are random.
    let isCoded: UInt32 = value == 0 ? 0 : 1
    let mask = Int32(bitPattern: signs) &>> 31 & (0 &- Int32(bitPattern: isCoded))
    signs = signs &<< isCoded
    return (value ^ mask) &- mask
  }

  /// An escape sequence: N ones, a zero, and the N + 4 bits below a leading one (4.6.3.3); negative
  /// if it stands for more than 8191.
  private mutating func readEscape() -> Int32 {
    let ones = (~bits.next32).leadingZeroBitCount
    if ones > 8 { return -1 }
    bits.skip(ones + 1)
    return Int32(truncatingIfNeeded: 1 << (ones + 4) + bits.readInt(ones + 4))
  }
}
