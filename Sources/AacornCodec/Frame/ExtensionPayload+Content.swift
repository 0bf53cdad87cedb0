extension ExtensionPayload {
  /// The width of the kind in bits.
  private static let kindWidth = 4

  /// Returns a reader of the bits after the kind; nil if `bytes` do not contain them.
  ///
  /// The block begins at bit `origin` of `bytes`.
  func content(in bytes: [UInt8], from origin: Int) -> BitReader? {
    let first = origin + bits.lowerBound + Self.kindWidth
    let end = origin + bits.upperBound
    guard first >= 0, first <= end, end <= bytes.count * 8 else { return nil }
    return BitReader(bytes, bits: first..<end)
  }

  /// Returns whether the payload is band replication with a header (ISO/IEC 14496-3, table 4.62).
  ///
  /// The block begins with the first of `bytes`.
  package func hasReplicationHeader(in bytes: [UInt8]) -> Bool {
    guard kind.isSpectralBandReplication, var reader = content(in: bytes, from: 0) else {
      return false
    }
    if kind == .checkedSpectralBandReplication { reader.skip(SBRChecksum.width) }
    // Past the end of the payload, the reader may return bits of the next element.
    return reader.readFlag() && !reader.isOverrun
  }
}
