extension ExtensionPayload {
  /// Returns the replicated frequencies in hertz, from the SBR header in the payload.
  ///
  /// - Parameters:
  ///   - bytes: The bytes from which the block was read.
  ///   - range: The range of the block in the bytes.
  ///   - coreRate: The core's sampling rate in hertz.
  /// - Returns: The first frequency above the core's and the end of the last band; nil without a
  ///   header.
  package func replicatedFrequencies(
    in bytes: [UInt8], range: Range<Int>, coreRate: Int
  ) -> Range<Int>? {
    let origin = range.lowerBound * 8
    // The first four bits are the kind.
    let (first, end) = (origin + bits.lowerBound + 4, origin + bits.upperBound)
    guard kind.isSpectralBandReplication, (8_000...96_000).contains(coreRate), first < end,
      first >= 0, end <= bytes.count * 8
    else { return nil }
    var reader = BitReader(bytes, bits: first..<end)
    if kind == .checkedSpectralBandReplication { reader.skip(10) }
    guard reader.readFlag() else { return nil }
    let header = SBRHeader(&reader)
    guard !reader.isOverrun, let tables = SBRTables(header, rate: 2 * coreRate) else { return nil }
    // Each of the 64 bands of the filter bank has an equal share of half the rate.
    let top = tables.start + tables.count
    return tables.start * coreRate / 64..<top * coreRate / 64
  }
}
