/// Fill elements, which carry no data and keep a constant rate constant (ISO/IEC 14496-3, 4.5.2.9).
enum FillElement {
  /// Writes elements so that the block, its end element included, takes exactly `end` bits.
  ///
  /// `end` is a multiple of eight, counted from the start of the block.
  static func write(until end: Int, to sink: inout some BitSink) {
    while true {
      let room = end - 3 - sink.bitCount
      if room < 8 { return }
      sink.put(UInt32(ElementKind.fill.rawValue), count: 3)
      // Three bits of id and four of count come first; a count of 15 adds eight more.
      var count = min(14, (room - 7) / 8)
      if room >= 15 + 8 * 15 {
        count = min(269, (room - 15) / 8)
        sink.put(15, count: 4)
        sink.put(UInt32(count - 14), count: 8)
      } else {
        sink.put(UInt32(count), count: 4)
      }
      for byte in 0..<count {
        // extension_type EXT_FILL_DATA, a nibble of zeros, then 0xA5.
        sink.put(byte == 0 ? 0x10 : 0xA5, count: 8)
      }
    }
  }
}
