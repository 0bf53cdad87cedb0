/// Fill elements, for a constant rate or for band replication (ISO/IEC 14496-3, 4.5.2.9).
extension FrameWriter {
  /// Writes fill_elements (table 4.11) until the block has exactly `end` bits.
  ///
  /// The bits include the end element.
  ///
  /// `end` is a multiple of eight, counted from the start of the block.
  mutating func putFill(until end: Int) {
    while true {
      let room = end - 3 - bitCount
      if room < 8 { return }
      putStart(of: .fill)
      // Three bits of id and four of count precede the bytes; a count of 15 adds eight bits.
      let count = room >= 15 + 8 * 15 ? min(269, (room - 15) / 8) : min(14, (room - 7) / 8)
      putFillCount(count)
      if count > 0 { putExtension(byteCount: count) }
    }
  }

  /// Writes fill_element (table 4.11) with an `SBRWriter`'s payload for the preceding element.
  ///
  /// The payload has at most `SBRWriter.maxByteCount` whole bytes.
  mutating func putReplication(_ payload: BitWriter) {
    let count = payload.bitCount / 8
    precondition(
      payload.bitCount == 8 * count && count <= SBRWriter.maxByteCount,
      "The payload does not fit in a fill element")
    putStart(of: .fill)
    putFillCount(count)
    payload.put(to: &writer.bits)
  }

  /// Writes the count of a fill element's bytes, 0…269.
  private mutating func putFillCount(_ count: Int) {
    writer.bits.put(UInt32(min(count, 15)), count: 4)
    if count >= 15 { writer.bits.put(UInt32(count - 14), count: 8) }
  }

  /// Writes extension_payload (table 4.57) of the kind `fillData`: a nibble of zeros, then 0xA5.
  private mutating func putExtension(byteCount: Int) {
    writer.bits.put(UInt32(ExtensionPayload.Kind.fillData.rawValue), count: 4)
    writer.bits.put(0, count: 4)
    for _ in 1..<byteCount { writer.bits.put(0xA5, count: 8) }
  }
}
