/// The header of a frame of MPEG-1 or MPEG-2 audio (ISO/IEC 11172-3, 2.4.1.3).
///
/// It contains the fields that determine the position of the next frame.
package struct MPEGAudioHeader {
  /// The number of bytes of the frame, with its header; nil for the free bit rate.
  package let byteCount: Int?
  /// The number of samples per channel in the frame (2.4.2.1; ISO/IEC 13818-3, 2.4.2.1).
  package let sampleCount: Int
  /// The sampling rate in hertz.
  package let sampleRate: Int
  private let word: UInt32

  /// Reads a header; nil if the word is not a valid header.
  package init?(_ word: UInt32) {
    // Eleven sync bits; version 01, layer 00, bit rate 1111 and rate 11 do not exist.
    let version = Int(word >> 19 & 3)
    let layer = 4 - Int(word >> 17 & 3)
    let rateIndex = Int(word >> 12 & 15)
    let frequencyIndex = Int(word >> 10 & 3)
    guard word >> 21 == 0x7FF, version != 1, layer != 4, rateIndex != 15, frequencyIndex != 3
    else { return nil }
    self.word = word
    let isFirst = version == 3
    // Version 2 halves the rates, and 2.5 halves them again.
    let halvings = isFirst ? 0 : version == 2 ? 1 : 2
    let frequency = [44_100, 48_000, 32_000][frequencyIndex] >> halvings
    sampleRate = frequency
    sampleCount = layer == 1 ? 384 : layer == 3 && !isFirst ? 576 : 1152
    let padding = Int(word >> 9 & 1)
    let bitrate = 1000 * Self.kilobits(rateIndex, layer: layer, isFirst: isFirst)
    if rateIndex == 0 {
      byteCount = nil
    } else if layer == 1 {
      byteCount = 4 * (12 * bitrate / frequency + padding)
    } else {
      byteCount = (layer == 3 && !isFirst ? 72 : 144) * bitrate / frequency + padding
    }
  }

  /// Returns whether another header can belong to the same stream: equal version, layer and rate.
  package func isSameStream(as other: UInt32) -> Bool {
    word & 0xFFFE_0C00 == other & 0xFFFE_0C00 && MPEGAudioHeader(other) != nil
  }

  private static func kilobits(_ index: Int, layer: Int, isFirst: Bool) -> Int {
    switch (isFirst, layer) {
    case (true, 1): 32 * index
    case (true, 2):
      [0, 32, 48, 56, 64, 80, 96, 112, 128, 160, 192, 224, 256, 320, 384][index]
    case (true, _):
      [0, 32, 40, 48, 56, 64, 80, 96, 112, 128, 160, 192, 224, 256, 320][index]
    case (false, 1):
      [0, 32, 48, 56, 64, 80, 96, 112, 128, 144, 160, 176, 192, 224, 256][index]
    case (false, _):
      [0, 8, 16, 24, 32, 40, 48, 56, 64, 80, 96, 112, 128, 144, 160][index]
    }
  }
}
