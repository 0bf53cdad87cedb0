import AacornContainers

/// The properties of a converter that this reads or writes.
enum ConverterProperty {
  static let rateControl = FourCharacterCode("a", "c", "b", "f")
  /// The encoder's effort for quality.
  static let quality = FourCharacterCode("c", "d", "q", "u")
  /// The quality of a variable bitrate, 0 to 127.
  static let variableQuality = FourCharacterCode("v", "b", "r", "q")
  /// Bits per second.
  static let bitrate = FourCharacterCode("b", "r", "a", "t")
  /// The bitrates that are available with the current settings.
  static let applicableBitrates = FourCharacterCode("a", "e", "b", "r")
  /// The size of the largest packet, in bytes.
  static let largestPacket = FourCharacterCode("x", "o", "p", "s")
  /// The complete description of the output format.
  static let outputFormat = FourCharacterCode("a", "c", "o", "d")
  /// The frames added before and after the audio.
  static let priming = FourCharacterCode("p", "r", "i", "m")
  /// The decoder's configuration.
  static let magicCookie = FourCharacterCode("c", "m", "g", "c")
}

/// Property values as bytes, in the memory layout of Apple's systems: little-endian.
enum ConverterValue {
  static func bytes(_ number: UInt32) -> [UInt8] {
    [0, 8, 16, 24].map { UInt8(truncatingIfNeeded: number >> $0) }
  }

  /// Returns the number in four bytes, or nil if fewer bytes are available.
  static func number(in bytes: [UInt8], at offset: Int = 0) -> UInt32? {
    guard offset >= 0, bytes.count - offset >= 4 else { return nil }
    var number: UInt32 = 0
    for index in 0..<4 { number |= UInt32(bytes[offset + index]) << UInt32(8 * index) }
    return number
  }

  /// Returns the ranges in a list of pairs of doubles, rounded inward.
  ///
  /// Ranges that contain no integer are skipped.
  static func ranges(in bytes: [UInt8]) -> [ClosedRange<Int>] {
    var ranges: [ClosedRange<Int>] = []
    var offset = 0
    while bytes.count - offset >= 16 {
      let least = double(in: bytes, at: offset)
      let most = double(in: bytes, at: offset + 8)
      offset += 16
      // This guard also rejects NaN, because every comparison with NaN is false.
      guard least >= 0, most >= least, most <= 1e9 else { continue }
      let floor = Int(least)
      let (lowest, highest) = (Double(floor) < least ? floor + 1 : floor, Int(most))
      if lowest <= highest { ranges.append(lowest...highest) }
    }
    return ranges
  }

  private static func double(in bytes: [UInt8], at offset: Int) -> Double {
    var bits: UInt64 = 0
    for index in 0..<8 { bits |= UInt64(bytes[offset + index]) << UInt64(8 * index) }
    return Double(bitPattern: bits)
  }
}
