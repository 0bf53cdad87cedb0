/// Fill elements, which here carry no data and keep a constant rate constant (ISO/IEC 14496-3,
/// 4.5.2.9).
extension FrameWriter {
  /// fill_element (table 4.11), as many of them as it takes until the block, its end element
  /// included, has exactly `end` bits.
  ///
  /// `end` is a multiple of eight, counted from the start of the block.
  mutating func putFill(until end: Int) {
    while true {
      let room = end - 3 - bitCount
      if room < 8 { return }
      putStart(of: .fill)
      // Three bits of id and four of count come first; a count of 15 adds eight more.
      var count = min(14, (room - 7) / 8)
      if room >= 15 + 8 * 15 {
        count = min(269, (room - 15) / 8)
        writer.bits.put(15, count: 4)
        writer.bits.put(UInt32(count - 14), count: 8)
      } else {
        writer.bits.put(UInt32(count), count: 4)
      }
      if count > 0 { putExtension(byteCount: count) }
    }
  }

  /// extension_payload (table 4.57) of the kind `fillData`: a nibble of zeros, then 0xA5.
  private mutating func putExtension(byteCount: Int) {
    writer.bits.put(UInt32(ExtensionPayload.Kind.fillData.rawValue), count: 4)
    writer.bits.put(0, count: 4)
    for _ in 1..<byteCount { writer.bits.put(0xA5, count: 8) }
  }
}
