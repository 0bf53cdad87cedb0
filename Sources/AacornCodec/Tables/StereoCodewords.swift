// Written by Scripts/generate-tables.py from the JSON tables beside this file.

/// The codewords of parametric stereo's levels and coherences (ISO/IEC 14496-3, annex 8.B), and the
/// borders between their steps.
///
/// An entry contains the length in the top 8 bits and the codeword in the low 24 bits. The middle
/// entry is for difference 0.
enum StereoCodewords {
  /// The codewords of level differences over bands.
  // swift-format-ignore
  static let levelWords: [UInt32] = [
    0x1101fffb, 0x1101fffc, 0x1101fffd, 0x1101fffa, 0x1000fffc, 0xf007ffc, 0xd001ffd, 0xa0003fe,
    0x90001fe, 0x700007e, 0x600003c, 0x500001d, 0x400000d, 0x3000005, 0x1000000, 0x3000004,
    0x400000c, 0x500001c, 0x600003d, 0x600003e, 0x80000fe, 0xb0007fe, 0xd001ffc, 0xe003ffc,
    0xe003ffd, 0xf007ffd, 0x1101fffe, 0x1203fffe, 0x1203ffff,
  ]

  /// The codewords of level differences over time.
  // swift-format-ignore
  static let levelTimeWords: [UInt32] = [
    0x1307fff9, 0x1307fffa, 0x1307fffb, 0x140ffff8, 0x140ffff9, 0x140ffffa, 0x1101fffd, 0xf007ffe,
    0xc000ffe, 0xa0003fe, 0x80000fe, 0x600003e, 0x400000e, 0x2000002, 0x1000000, 0x3000006,
    0x500001e, 0x700007e, 0x90001fe, 0xb0007fe, 0xd001ffe, 0xe003ffe, 0x1101fffc, 0x1307fff8,
    0x140ffffb, 0x140ffffc, 0x140ffffd, 0x140ffffe, 0x140fffff,
  ]

  /// The codewords of fine level differences over bands.
  // swift-format-ignore
  static let fineLevelWords: [UInt32] = [
    0x1201feb4, 0x1201feb5, 0x1201fd76, 0x1201fd77, 0x1201fd74, 0x1201fd75, 0x1201fe8a, 0x1201fe8b,
    0x1201fe88, 0x1100fe80, 0x1201feb6, 0x1100fe82, 0x1100feb8, 0x10007f42, 0x10007fae, 0xf003faf,
    0xe001fd1, 0xe001fe9, 0xd000fe9, 0xc0007ea, 0xc0007fb, 0xb0003fb, 0xa0001fb, 0xa0001ff,
    0x800007c, 0x700003c, 0x600001c, 0x500000c, 0x4000000, 0x3000001, 0x1000001, 0x3000002,
    0x4000001, 0x500000d, 0x600001d, 0x700003d, 0x800007d, 0x90000fc, 0xa0001fc, 0xb0003fc,
    0xb0003f4, 0xc0007eb, 0xd000fea, 0xe001fea, 0xe001fd6, 0xf003fd0, 0x10007faf, 0x10007f43,
    0x1100feb9, 0x1100fe83, 0x1201feb7, 0x1100fe81, 0x1201fe89, 0x1201fe8e, 0x1201fe8f, 0x1201fe8c,
    0x1201fe8d, 0x1201feb2, 0x1201feb3, 0x1201feb0, 0x1201feb1,
  ]

  /// The codewords of fine level differences over time.
  // swift-format-ignore
  static let fineLevelTimeWords: [UInt32] = [
    0x10004ed4, 0x10004ed5, 0x10004ece, 0x10004ecf, 0x10004ecc, 0x10004ed6, 0x10004ed8, 0x10004f46,
    0x10004f60, 0xf002718, 0xf002719, 0xf002764, 0xf002765, 0xf00276d, 0xf0027b1, 0xe0013b7,
    0xe0013d6, 0xd0009c7, 0xd0009e9, 0xd0009ed, 0xc0004ee, 0xc0004f7, 0xb000278, 0xa000139,
    0x900009a, 0x900009f, 0x7000020, 0x6000011, 0x500000a, 0x3000003, 0x1000001, 0x2000000,
    0x500000b, 0x6000012, 0x7000021, 0x800004c, 0x900009b, 0xa00013a, 0xb000279, 0xb000270,
    0xc0004ef, 0xc0004e2, 0xd0009ea, 0xd0009d8, 0xe0013d7, 0xe0013d0, 0xf0027b2, 0xf0027a2,
    0xf00271a, 0xf00271b, 0x10004f66, 0x10004f67, 0x10004f61, 0x10004f47, 0x10004ed9, 0x10004ed7,
    0x10004ecd, 0x10004ed2, 0x10004ed3, 0x10004ed0, 0x10004ed1,
  ]

  /// The codewords of coherences over bands.
  // swift-format-ignore
  static let coherenceWords: [UInt32] = [
    0xe003fff, 0xe003ffe, 0xc000ffe, 0xa0003fe, 0x700007e, 0x500001e, 0x3000006, 0x1000000,
    0x2000002, 0x400000e, 0x600003e, 0x80000fe, 0x90001fe, 0xb0007fe, 0xd001ffe,
  ]

  /// The codewords of coherences over time.
  // swift-format-ignore
  static let coherenceTimeWords: [UInt32] = [
    0xe003ffe, 0xd001ffe, 0xb0007fe, 0x90001fe, 0x700007e, 0x500001e, 0x3000006, 0x1000000,
    0x2000002, 0x400000e, 0x600003e, 0x80000fe, 0xa0003fe, 0xc000ffe, 0xe003fff,
  ]

  /// The borders between the absolute values of the 15 levels, in decibels.
  // swift-format-ignore
  static let levelBorders: [Float] = [
    1.0, 3.0, 5.5, 8.5, 12.0, 16.0, 21.5,
  ]

  /// The borders between the absolute values of the 31 fine levels, in decibels.
  // swift-format-ignore
  static let fineLevelBorders: [Float] = [
    1.0, 3.0, 5.0, 7.0, 9.0, 11.5, 14.5, 17.5, 20.5, 23.5, 27.5, 32.5, 37.5, 42.5, 47.5,
  ]

  /// The borders between the coherences, as correlations in descending order.
  // swift-format-ignore
  static let coherenceBorders: [Float] = [
    0.98425, 0.894531, 0.734646, 0.490962, 0.194305, -0.277528, -0.788597,
  ]
}
