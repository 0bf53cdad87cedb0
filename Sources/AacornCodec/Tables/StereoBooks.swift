// Written by JSON/generate-tables.py from the tables beside it.

/// The books of parametric stereo (ISO/IEC 14496-3, annex 8.B).
enum StereoBooks {
  /// The book of level differences over bands.
  // swift-format-ignore
  private static let levelWords: [UInt32] = [
    0x1101fffb, 0x1101fffc, 0x1101fffd, 0x1101fffa, 0x1000fffc, 0xf007ffc, 0xd001ffd, 0xa0003fe,
    0x90001fe, 0x700007e, 0x600003c, 0x500001d, 0x400000d, 0x3000005, 0x1000000, 0x3000004,
    0x400000c, 0x500001c, 0x600003d, 0x600003e, 0x80000fe, 0xb0007fe, 0xd001ffc, 0xe003ffc,
    0xe003ffd, 0xf007ffd, 0x1101fffe, 0x1203fffe, 0x1203ffff,
  ]
  static let level = PrefixCode(smallest: -14, words: levelWords)

  /// The book of level differences over time.
  // swift-format-ignore
  private static let levelTimeWords: [UInt32] = [
    0x1307fff9, 0x1307fffa, 0x1307fffb, 0x140ffff8, 0x140ffff9, 0x140ffffa, 0x1101fffd, 0xf007ffe,
    0xc000ffe, 0xa0003fe, 0x80000fe, 0x600003e, 0x400000e, 0x2000002, 0x1000000, 0x3000006,
    0x500001e, 0x700007e, 0x90001fe, 0xb0007fe, 0xd001ffe, 0xe003ffe, 0x1101fffc, 0x1307fff8,
    0x140ffffb, 0x140ffffc, 0x140ffffd, 0x140ffffe, 0x140fffff,
  ]
  static let levelTime = PrefixCode(smallest: -14, words: levelTimeWords)

  /// The book of fine level differences over bands.
  // swift-format-ignore
  private static let fineLevelWords: [UInt32] = [
    0x1201feb4, 0x1201feb5, 0x1201fd76, 0x1201fd77, 0x1201fd74, 0x1201fd75, 0x1201fe8a, 0x1201fe8b,
    0x1201fe88, 0x1100fe80, 0x1201feb6, 0x1100fe82, 0x1100feb8, 0x10007f42, 0x10007fae, 0xf003faf,
    0xe001fd1, 0xe001fe9, 0xd000fe9, 0xc0007ea, 0xc0007fb, 0xb0003fb, 0xa0001fb, 0xa0001ff,
    0x800007c, 0x700003c, 0x600001c, 0x500000c, 0x4000000, 0x3000001, 0x1000001, 0x3000002,
    0x4000001, 0x500000d, 0x600001d, 0x700003d, 0x800007d, 0x90000fc, 0xa0001fc, 0xb0003fc,
    0xb0003f4, 0xc0007eb, 0xd000fea, 0xe001fea, 0xe001fd6, 0xf003fd0, 0x10007faf, 0x10007f43,
    0x1100feb9, 0x1100fe83, 0x1201feb7, 0x1100fe81, 0x1201fe89, 0x1201fe8e, 0x1201fe8f, 0x1201fe8c,
    0x1201fe8d, 0x1201feb2, 0x1201feb3, 0x1201feb0, 0x1201feb1,
  ]
  static let fineLevel = PrefixCode(smallest: -30, words: fineLevelWords)

  /// The book of fine level differences over time.
  // swift-format-ignore
  private static let fineLevelTimeWords: [UInt32] = [
    0x10004ed4, 0x10004ed5, 0x10004ece, 0x10004ecf, 0x10004ecc, 0x10004ed6, 0x10004ed8, 0x10004f46,
    0x10004f60, 0xf002718, 0xf002719, 0xf002764, 0xf002765, 0xf00276d, 0xf0027b1, 0xe0013b7,
    0xe0013d6, 0xd0009c7, 0xd0009e9, 0xd0009ed, 0xc0004ee, 0xc0004f7, 0xb000278, 0xa000139,
    0x900009a, 0x900009f, 0x7000020, 0x6000011, 0x500000a, 0x3000003, 0x1000001, 0x2000000,
    0x500000b, 0x6000012, 0x7000021, 0x800004c, 0x900009b, 0xa00013a, 0xb000279, 0xb000270,
    0xc0004ef, 0xc0004e2, 0xd0009ea, 0xd0009d8, 0xe0013d7, 0xe0013d0, 0xf0027b2, 0xf0027a2,
    0xf00271a, 0xf00271b, 0x10004f66, 0x10004f67, 0x10004f61, 0x10004f47, 0x10004ed9, 0x10004ed7,
    0x10004ecd, 0x10004ed2, 0x10004ed3, 0x10004ed0, 0x10004ed1,
  ]
  static let fineLevelTime = PrefixCode(smallest: -30, words: fineLevelTimeWords)

  /// The book of coherences over bands.
  // swift-format-ignore
  private static let coherenceWords: [UInt32] = [
    0xe003fff, 0xe003ffe, 0xc000ffe, 0xa0003fe, 0x700007e, 0x500001e, 0x3000006, 0x1000000,
    0x2000002, 0x400000e, 0x600003e, 0x80000fe, 0x90001fe, 0xb0007fe, 0xd001ffe,
  ]
  static let coherence = PrefixCode(smallest: -7, words: coherenceWords)

  /// The book of coherences over time.
  // swift-format-ignore
  private static let coherenceTimeWords: [UInt32] = [
    0xe003ffe, 0xd001ffe, 0xb0007fe, 0x90001fe, 0x700007e, 0x500001e, 0x3000006, 0x1000000,
    0x2000002, 0x400000e, 0x600003e, 0x80000fe, 0xa0003fe, 0xc000ffe, 0xe003fff,
  ]
  static let coherenceTime = PrefixCode(smallest: -7, words: coherenceTimeWords)

  /// The book of phase differences over bands, modulo 8.
  // swift-format-ignore
  private static let phaseDifferenceWords: [UInt32] = [
    0x1000001, 0x3000000, 0x4000006, 0x4000004, 0x4000002, 0x4000003, 0x4000005, 0x4000007,
  ]
  static let phaseDifference = PrefixCode(smallest: 0, words: phaseDifferenceWords)

  /// The book of phase differences over time, modulo 8.
  // swift-format-ignore
  private static let phaseDifferenceTimeWords: [UInt32] = [
    0x1000001, 0x3000002, 0x4000002, 0x5000003, 0x5000002, 0x4000000, 0x4000003, 0x3000003,
  ]
  static let phaseDifferenceTime = PrefixCode(smallest: 0, words: phaseDifferenceTimeWords)

  /// The book of overall phases over bands, modulo 8.
  // swift-format-ignore
  private static let overallPhaseWords: [UInt32] = [
    0x1000001, 0x3000001, 0x4000006, 0x4000004, 0x500000f, 0x500000e, 0x4000005, 0x3000000,
  ]
  static let overallPhase = PrefixCode(smallest: 0, words: overallPhaseWords)

  /// The book of overall phases over time, modulo 8.
  // swift-format-ignore
  private static let overallPhaseTimeWords: [UInt32] = [
    0x1000001, 0x3000002, 0x4000001, 0x5000007, 0x5000006, 0x4000000, 0x4000002, 0x3000003,
  ]
  static let overallPhaseTime = PrefixCode(smallest: 0, words: overallPhaseTimeWords)
}
