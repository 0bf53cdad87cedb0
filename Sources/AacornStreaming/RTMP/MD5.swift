/// The message digest used by old authentication schemes (RFC 1321).
enum MD5 {
  /// Returns the 16-byte digest of any number of bytes.
  static func digest(of bytes: [UInt8]) -> [UInt8] {
    // A one bit, zeros, and the length in bits fill the last block of 64 bytes (RFC 1321, 3.1 and
    // 3.2).
    var bytes = bytes
    let bitCount = UInt64(bytes.count) * 8
    bytes.append(0x80)
    while bytes.count % 64 != 56 { bytes.append(0) }
    bytes.append(bigEndian: bitCount.byteSwapped)

    var state: [UInt32] = [0x6745_2301, 0xEFCD_AB89, 0x98BA_DCFE, 0x1032_5476]
    for block in stride(from: 0, to: bytes.count, by: 64) {
      let words = (0..<16).map { index in
        UInt32(bytes.bigEndian(at: block + 4 * index, byteCount: 4)).byteSwapped
      }
      mix(words, into: &state)
    }
    var digest: [UInt8] = []
    for word in state { digest.append(bigEndian: word.byteSwapped) }
    return digest
  }

  /// Processes a block in four rounds of sixteen steps (RFC 1321, 3.4).
  private static func mix(_ words: [UInt32], into state: inout [UInt32]) {
    var (a, b, c, d) = (state[0], state[1], state[2], state[3])
    for step in 0..<64 {
      let value: UInt32
      let index: Int
      switch step / 16 {
      case 0: (value, index) = ((b & c) | (~b & d), step)
      case 1: (value, index) = ((b & d) | (c & ~d), 5 * step + 1)
      case 2: (value, index) = (b ^ c ^ d, 3 * step + 5)
      default: (value, index) = (c ^ (b | ~d), 7 * step)
      }
      let sum = a &+ value &+ words[index % 16] &+ sines[step]
      let shift = shifts[step / 16 * 4 + step % 4]
      (a, d, c, b) = (d, c, b, b &+ (sum << shift | sum >> (32 - shift)))
    }
    for (index, value) in [a, b, c, d].enumerated() { state[index] &+= value }
  }

  private static let shifts: [UInt32] = [
    7, 12, 17, 22, 5, 9, 14, 20, 4, 11, 16, 23, 6, 10, 15, 21,
  ]

  /// The integer parts of 2³²·|sin i| for i from 1 to 64.
  private static let sines: [UInt32] = [
    0xD76A_A478, 0xE8C7_B756, 0x2420_70DB, 0xC1BD_CEEE, 0xF57C_0FAF, 0x4787_C62A,
    0xA830_4613, 0xFD46_9501, 0x6980_98D8, 0x8B44_F7AF, 0xFFFF_5BB1, 0x895C_D7BE,
    0x6B90_1122, 0xFD98_7193, 0xA679_438E, 0x49B4_0821, 0xF61E_2562, 0xC040_B340,
    0x265E_5A51, 0xE9B6_C7AA, 0xD62F_105D, 0x0244_1453, 0xD8A1_E681, 0xE7D3_FBC8,
    0x21E1_CDE6, 0xC337_07D6, 0xF4D5_0D87, 0x455A_14ED, 0xA9E3_E905, 0xFCEF_A3F8,
    0x676F_02D9, 0x8D2A_4C8A, 0xFFFA_3942, 0x8771_F681, 0x6D9D_6122, 0xFDE5_380C,
    0xA4BE_EA44, 0x4BDE_CFA9, 0xF6BB_4B60, 0xBEBF_BC70, 0x289B_7EC6, 0xEAA1_27FA,
    0xD4EF_3085, 0x0488_1D05, 0xD9D4_D039, 0xE6DB_99E5, 0x1FA2_7CF8, 0xC4AC_5665,
    0xF429_2244, 0x432A_FF97, 0xAB94_23A7, 0xFC93_A039, 0x655B_59C3, 0x8F0C_CC92,
    0xFFEF_F47D, 0x8584_5DD1, 0x6FA8_7E4F, 0xFE2C_E6E0, 0xA301_4314, 0x4E08_11A1,
    0xF753_7E82, 0xBD3A_F235, 0x2AD7_D2BB, 0xEB86_D391,
  ]
}
