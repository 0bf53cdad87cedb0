import AACFormat

/// Fill elements, which carry nothing and keep a constant rate constant
/// (ISO/IEC 14496-3, 4.5.2.9).
enum FillElement {
  /// Writes elements that take at least `bits` bits together, by less than two bytes more; none for
  /// zero or less.
  static func write(bits: Int, to sink: inout some BitSink) {
    var left = bits
    while left > 0 {
      sink.put(UInt32(ElementKind.fill.rawValue), count: 3)
      // Three bits of id and four of count come first; a count of 15 adds eight more.
      let wanted = max(0, (left - 7 + 7) / 8)
      let count: Int
      if wanted < 15 {
        count = wanted
        sink.put(UInt32(count), count: 4)
      } else {
        count = min(269, max(15, wanted - 1))
        sink.put(15, count: 4)
        sink.put(UInt32(count - 14), count: 8)
      }
      for byte in 0..<count {
        // extension_type EXT_FILL_DATA, a nibble of zeros, then 0xA5.
        sink.put(byte == 0 ? 0x10 : 0xA5, count: 8)
      }
      left -= 7 + (wanted < 15 ? 0 : 8) + 8 * count
    }
  }
}
