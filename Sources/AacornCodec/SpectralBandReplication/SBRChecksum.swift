/// The checksum of sbr_extension_data: CRC-10 (ISO/IEC 14496-3, 4.5.2.8.2).
enum SBRChecksum {
  /// The width of the checksum in bits.
  static let width = 10
  /// x¹⁰ + x⁹ + x⁵ + x⁴ + x + 1, without its first term.
  private static let polynomial: UInt32 = 0x233

  static func ofRemainingBits(_ bits: BitReader) -> Int {
    var bits = bits
    var register: UInt32 = 0
    while bits.remaining > 0 {
      let top = register >> 9 & 1
      register = register << 1 & 0x3FF
      if top != bits.read(1) { register ^= polynomial }
    }
    return Int(register)
  }
}
