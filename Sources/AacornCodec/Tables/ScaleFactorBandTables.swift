// Written by Scripts/generate-tables.py from the JSON tables beside this file.

/// The offsets of the scalefactor bands (ISO/IEC 14496-3, 4.5.4, tables 4.129–4.147).
enum ScaleFactorBandTables {
  /// The offsets for long windows, set 0, including the end.
  // swift-format-ignore
  static let long0: [Int] = [
    0, 4, 8, 12, 16, 20, 24, 28, 32, 36, 40, 44, 48, 52, 56, 64, 72, 80, 88, 96, 108, 120, 132, 144,
    156, 172, 188, 212, 240, 276, 320, 384, 448, 512, 576, 640, 704, 768, 832, 896, 960, 1024,
  ]

  /// The offsets for long windows, set 1, including the end.
  // swift-format-ignore
  static let long1: [Int] = [
    0, 4, 8, 12, 16, 20, 24, 28, 32, 36, 40, 44, 48, 52, 56, 64, 72, 80, 88, 100, 112, 124, 140,
    156, 172, 192, 216, 240, 268, 304, 344, 384, 424, 464, 504, 544, 584, 624, 664, 704, 744, 784,
    824, 864, 904, 944, 984, 1024,
  ]

  /// The offsets for long windows, set 2, including the end.
  // swift-format-ignore
  static let long2: [Int] = [
    0, 4, 8, 12, 16, 20, 24, 28, 32, 36, 40, 48, 56, 64, 72, 80, 88, 96, 108, 120, 132, 144, 160,
    176, 196, 216, 240, 264, 292, 320, 352, 384, 416, 448, 480, 512, 544, 576, 608, 640, 672, 704,
    736, 768, 800, 832, 864, 896, 928, 1024,
  ]

  /// The offsets for long windows, set 3, including the end.
  // swift-format-ignore
  static let long3: [Int] = [
    0, 4, 8, 12, 16, 20, 24, 28, 32, 36, 40, 48, 56, 64, 72, 80, 88, 96, 108, 120, 132, 144, 160,
    176, 196, 216, 240, 264, 292, 320, 352, 384, 416, 448, 480, 512, 544, 576, 608, 640, 672, 704,
    736, 768, 800, 832, 864, 896, 928, 960, 992, 1024,
  ]

  /// The offsets for long windows, set 4, including the end.
  // swift-format-ignore
  static let long4: [Int] = [
    0, 4, 8, 12, 16, 20, 24, 28, 32, 36, 40, 44, 52, 60, 68, 76, 84, 92, 100, 108, 116, 124, 136,
    148, 160, 172, 188, 204, 220, 240, 260, 284, 308, 336, 364, 396, 432, 468, 508, 552, 600, 652,
    704, 768, 832, 896, 960, 1024,
  ]

  /// The offsets for long windows, set 5, including the end.
  // swift-format-ignore
  static let long5: [Int] = [
    0, 8, 16, 24, 32, 40, 48, 56, 64, 72, 80, 88, 100, 112, 124, 136, 148, 160, 172, 184, 196, 212,
    228, 244, 260, 280, 300, 320, 344, 368, 396, 424, 456, 492, 532, 572, 616, 664, 716, 772, 832,
    896, 960, 1024,
  ]

  /// The offsets for long windows, set 6, including the end.
  // swift-format-ignore
  static let long6: [Int] = [
    0, 12, 24, 36, 48, 60, 72, 84, 96, 108, 120, 132, 144, 156, 172, 188, 204, 220, 236, 252, 268,
    288, 308, 328, 348, 372, 396, 420, 448, 476, 508, 544, 580, 620, 664, 712, 764, 820, 880, 944,
    1024,
  ]

  /// The set of long offsets of each sampling frequency index.
  // swift-format-ignore
  static let longSetOfRate: [Int] = [
    0, 0, 1, 2, 2, 3, 4, 4, 5, 5, 5, 6, 6,
  ]

  /// The offsets for short windows, set 0, including the end.
  // swift-format-ignore
  static let short0: [Int] = [
    0, 4, 8, 12, 16, 20, 24, 32, 40, 48, 64, 92, 128,
  ]

  /// The offsets for short windows, set 1, including the end.
  // swift-format-ignore
  static let short1: [Int] = [
    0, 4, 8, 12, 16, 20, 28, 36, 44, 56, 68, 80, 96, 112, 128,
  ]

  /// The offsets for short windows, set 2, including the end.
  // swift-format-ignore
  static let short2: [Int] = [
    0, 4, 8, 12, 16, 20, 24, 28, 36, 44, 52, 64, 76, 92, 108, 128,
  ]

  /// The offsets for short windows, set 3, including the end.
  // swift-format-ignore
  static let short3: [Int] = [
    0, 4, 8, 12, 16, 20, 24, 28, 32, 40, 48, 60, 72, 88, 108, 128,
  ]

  /// The offsets for short windows, set 4, including the end.
  // swift-format-ignore
  static let short4: [Int] = [
    0, 4, 8, 12, 16, 20, 24, 28, 36, 44, 52, 60, 72, 88, 108, 128,
  ]

  /// The set of short offsets of each sampling frequency index.
  // swift-format-ignore
  static let shortSetOfRate: [Int] = [
    0, 0, 0, 1, 1, 1, 2, 2, 3, 3, 3, 4, 4,
  ]

  /// The maximum number of bands with TNS in long windows (4.6.9.4, table 4.156).
  // swift-format-ignore
  static let longNoiseShapingLimit: [Int] = [
    31, 31, 34, 40, 42, 51, 46, 46, 42, 42, 42, 39, 39,
  ]

  /// The maximum number of bands with TNS in short windows (4.6.9.4, table 4.156).
  // swift-format-ignore
  static let shortNoiseShapingLimit: [Int] = [
    9, 9, 10, 14, 14, 14, 14, 14, 14, 14, 14, 14, 14,
  ]

  /// The band offsets of windows of 960 lines, one set after another (14496-3, 4.5.4).
  // swift-format-ignore
  static let long960BandOffsets: [UInt16] = [
    0, 4, 8, 12, 16, 20, 24, 28, 32, 36, 40, 44, 48, 52, 56, 64, 72, 80, 88, 96, 108, 120, 132, 144,
    156, 172, 188, 212, 240, 276, 320, 384, 448, 512, 576, 640, 704, 768, 832, 896, 960, 0, 4, 8,
    12, 16, 20, 24, 28, 32, 36, 40, 44, 48, 52, 56, 64, 72, 80, 88, 100, 112, 124, 140, 156, 172,
    192, 216, 240, 268, 304, 344, 384, 424, 464, 504, 544, 584, 624, 664, 704, 744, 784, 824, 864,
    904, 944, 960, 0, 4, 8, 12, 16, 20, 24, 28, 32, 36, 40, 48, 56, 64, 72, 80, 88, 96, 108, 120,
    132, 144, 160, 176, 196, 216, 240, 264, 292, 320, 352, 384, 416, 448, 480, 512, 544, 576, 608,
    640, 672, 704, 736, 768, 800, 832, 864, 896, 928, 960, 0, 4, 8, 12, 16, 20, 24, 28, 32, 36, 40,
    44, 52, 60, 68, 76, 84, 92, 100, 108, 116, 124, 136, 148, 160, 172, 188, 204, 220, 240, 260,
    284, 308, 336, 364, 396, 432, 468, 508, 552, 600, 652, 704, 768, 832, 896, 960, 0, 8, 16, 24,
    32, 40, 48, 56, 64, 72, 80, 88, 100, 112, 124, 136, 148, 160, 172, 184, 196, 212, 228, 244, 260,
    280, 300, 320, 344, 368, 396, 424, 456, 492, 532, 572, 616, 664, 716, 772, 832, 896, 960, 0, 12,
    24, 36, 48, 60, 72, 84, 96, 108, 120, 132, 144, 156, 172, 188, 204, 220, 236, 252, 268, 288,
    308, 328, 348, 372, 396, 420, 448, 476, 508, 544, 580, 620, 664, 712, 764, 820, 880, 944, 960,
  ]

  /// The start of each sampling frequency's set in `long960BandOffsets`.
  // swift-format-ignore
  static let long960BandSetStarts: [UInt16] = [
    0, 0, 41, 88, 88, 88, 138, 138, 185, 185, 185, 228, 228,
  ]

  /// The number of bands in a window of 960 lines, by sampling frequency.
  // swift-format-ignore
  static let long960BandCounts: [UInt8] = [
    40, 40, 46, 49, 49, 49, 46, 46, 42, 42, 42, 40, 40,
  ]

  /// The band offsets of windows of 120 lines, one set after another (14496-3, 4.5.4).
  // swift-format-ignore
  static let short120BandOffsets: [UInt16] = [
    0, 4, 8, 12, 16, 20, 24, 32, 40, 48, 64, 92, 120, 0, 4, 8, 12, 16, 20, 28, 36, 44, 56, 68, 80,
    96, 112, 120, 0, 4, 8, 12, 16, 20, 24, 28, 36, 44, 52, 64, 76, 92, 108, 120, 0, 4, 8, 12, 16,
    20, 24, 28, 32, 40, 48, 60, 72, 88, 108, 120, 0, 4, 8, 12, 16, 20, 24, 28, 36, 44, 52, 60, 72,
    88, 108, 120,
  ]

  /// The start of each sampling frequency's set in `short120BandOffsets`.
  // swift-format-ignore
  static let short120BandSetStarts: [UInt16] = [
    0, 0, 0, 13, 13, 13, 28, 28, 44, 44, 44, 60, 60,
  ]

  /// The number of bands in a window of 120 lines, by sampling frequency.
  // swift-format-ignore
  static let short120BandCounts: [UInt8] = [
    12, 12, 12, 14, 14, 14, 15, 15, 15, 15, 15, 15, 15,
  ]

  /// The maximum number of bands with backward prediction, by sampling frequency (14496-3, 4.6.6.2).
  // swift-format-ignore
  static let predictionLimits: [UInt8] = [
    33, 33, 38, 40, 40, 40, 41, 41, 37, 37, 37, 34, 34,
  ]
}
