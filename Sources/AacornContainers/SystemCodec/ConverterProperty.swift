/// What a converter can be asked, and told.
package enum ConverterProperty {
  /// How bits are spent over time.
  package static let rateControl = FourCharacterCode("a", "c", "b", "f")
  /// How much work goes into better sound quality.
  package static let quality = FourCharacterCode("c", "d", "q", "u")
  /// How good a variable rate sounds, up to 127.
  package static let variableQuality = FourCharacterCode("v", "b", "r", "q")
  /// Bits per second.
  package static let bitrate = FourCharacterCode("b", "r", "a", "t")
  /// The bitrates that there are with all that it has been told so far.
  package static let applicableBitrates = FourCharacterCode("a", "e", "b", "r")
  /// The bytes of the largest packet.
  package static let largestPacket = FourCharacterCode("x", "o", "p", "s")
  /// What comes out, in full.
  package static let outputFormat = FourCharacterCode("a", "c", "o", "d")
  /// The frames that it adds before the sound and behind it.
  package static let priming = FourCharacterCode("p", "r", "i", "m")
  /// What a decoder must know.
  package static let magicCookie = FourCharacterCode("c", "m", "g", "c")
}

/// The values of properties, in the bytes in which Apple's systems have them in memory: the lowest
/// first.
package enum ConverterValue {
  /// A number as bytes.
  package static func bytes(_ number: UInt32) -> [UInt8] {
    [0, 8, 16, 24].map { UInt8(truncatingIfNeeded: number >> $0) }
  }

  /// The number in four bytes; nil if they are not there.
  package static func number(in bytes: [UInt8], at offset: Int = 0) -> UInt32? {
    guard offset >= 0, bytes.count - offset >= 4 else { return nil }
    var number: UInt32 = 0
    for index in 0..<4 { number |= UInt32(bytes[offset + index]) << UInt32(8 * index) }
    return number
  }

  /// The ranges in a list of pairs of numbers in double precision, rounded inward, without those that
  /// hold no number.
  package static func ranges(in bytes: [UInt8]) -> [ClosedRange<Int>] {
    var ranges: [ClosedRange<Int>] = []
    var offset = 0
    while bytes.count - offset >= 16 {
      let least = double(in: bytes, at: offset)
      let most = double(in: bytes, at: offset + 8)
      offset += 16
      // Comparisons with NaN fail.
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
