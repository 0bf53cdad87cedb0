// Written by Scripts/generate-tables.py from the JSON tables beside this file.

/// The scalefactor codebook (ISO/IEC 14496-3, table 4.A.1); index = difference + 60.
///
/// An entry contains the length in the top 8 bits and the codeword in the low 24 bits.
enum ScaleFactorCodewords {
  /// The entries of the differences from −60 to 60.
  // swift-format-ignore
  static let words: [UInt32] = [
    0x1203ffe8, 0x1203ffe6, 0x1203ffe7, 0x1203ffe5, 0x1307fff5, 0x1307fff1, 0x1307ffed, 0x1307fff6,
    0x1307ffee, 0x1307ffef, 0x1307fff0, 0x1307fffc, 0x1307fffd, 0x1307ffff, 0x1307fffe, 0x1307fff7,
    0x1307fff8, 0x1307fffb, 0x1307fff9, 0x1203ffe4, 0x1307fffa, 0x1203ffe3, 0x1101ffef, 0x1101fff0,
    0x1000fff5, 0x1101ffee, 0x1000fff2, 0x1000fff3, 0x1000fff4, 0x1000fff1, 0xf007ff6, 0xf007ff7,
    0xe003ff9, 0xe003ff5, 0xe003ff7, 0xe003ff3, 0xe003ff6, 0xe003ff2, 0xd001ff7, 0xd001ff5,
    0xc000ff9, 0xc000ff7, 0xc000ff6, 0xb0007f9, 0xc000ff4, 0xb0007f8, 0xa0003f9, 0xa0003f7,
    0xa0003f5, 0x90001f8, 0x90001f7, 0x80000fa, 0x80000f8, 0x80000f6, 0x7000079, 0x600003a,
    0x6000038, 0x500001a, 0x400000b, 0x3000004, 0x1000000, 0x400000a, 0x400000c, 0x500001b,
    0x6000039, 0x600003b, 0x7000078, 0x700007a, 0x80000f7, 0x80000f9, 0x90001f6, 0x90001f9,
    0xa0003f4, 0xa0003f6, 0xa0003f8, 0xb0007f5, 0xb0007f4, 0xb0007f6, 0xb0007f7, 0xc000ff5,
    0xc000ff8, 0xd001ff4, 0xd001ff6, 0xd001ff8, 0xe003ff8, 0xe003ff4, 0x1000fff0, 0xf007ff4,
    0x1000fff6, 0xf007ff5, 0x1203ffe2, 0x1307ffd9, 0x1307ffda, 0x1307ffdb, 0x1307ffdc, 0x1307ffdd,
    0x1307ffde, 0x1307ffd8, 0x1307ffd2, 0x1307ffd3, 0x1307ffd4, 0x1307ffd5, 0x1307ffd6, 0x1307fff2,
    0x1307ffdf, 0x1307ffe7, 0x1307ffe8, 0x1307ffe9, 0x1307ffea, 0x1307ffeb, 0x1307ffe6, 0x1307ffe0,
    0x1307ffe1, 0x1307ffe2, 0x1307ffe3, 0x1307ffe4, 0x1307ffe5, 0x1307ffd7, 0x1307ffec, 0x1307fff4,
    0x1307fff3,
  ]

  /// The lengths of the codewords in bits.
  // swift-format-ignore
  static let lengths: [UInt8] = [
    18, 18, 18, 18, 19, 19, 19, 19, 19, 19, 19, 19, 19, 19, 19, 19, 19, 19, 19, 18, 19, 18, 17, 17,
    16, 17, 16, 16, 16, 16, 15, 15, 14, 14, 14, 14, 14, 14, 13, 13, 12, 12, 12, 11, 12, 11, 10, 10,
    10, 9, 9, 8, 8, 8, 7, 6, 6, 5, 4, 3, 1, 4, 4, 5, 6, 6, 7, 7, 8, 8, 9, 9, 10, 10, 10, 11, 11, 11,
    11, 12, 12, 13, 13, 13, 14, 14, 16, 15, 16, 15, 18, 19, 19, 19, 19, 19, 19, 19, 19, 19, 19, 19,
    19, 19, 19, 19, 19, 19, 19, 19, 19, 19, 19, 19, 19, 19, 19, 19, 19, 19, 19,
  ]
}
