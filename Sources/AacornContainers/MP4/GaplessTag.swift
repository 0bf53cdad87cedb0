/// The numbers of an iTunSMPB tag: the samples to cut from a decoded stream.
///
///     " 00000000 PPPPPPPP RRRRRRRR LLLLLLLLLLLLLLLL 00000000 …"   hexadecimal, leading space
public struct GaplessTag: Equatable, Sendable {
  /// Samples to drop at the start.
  public var priming: UInt32
  /// Samples to drop at the end.
  public var remainder: UInt32
  /// Samples to play, after the priming and before the remainder.
  public var validCount: UInt64

  /// Creates a tag.
  public init(priming: UInt32, remainder: UInt32, validCount: UInt64) {
    self.priming = priming
    self.remainder = remainder
    self.validCount = validCount
  }

  /// The domain of the tag.
  static var meaning: [UInt8] { Array("com.apple.iTunes".utf8) }
  static var name: [UInt8] { Array("iTunSMPB".utf8) }

  var text: [UInt8] {
    var text: [UInt8] = []
    Self.append(0, digits: 8, to: &text)
    Self.append(UInt64(priming), digits: 8, to: &text)
    Self.append(UInt64(remainder), digits: 8, to: &text)
    Self.append(validCount, digits: 16, to: &text)
    for _ in 0..<8 { Self.append(0, digits: 8, to: &text) }
    return text
  }

  var tag: FreeFormTag { FreeFormTag(meaning: Self.meaning, name: Self.name, texts: [text]) }

  /// Parses the text of a tag; returns nil unless it has at least four numbers.
  init?(text: some Sequence<UInt8>) {
    var numbers: [UInt64] = []
    var isInNumber = false
    for byte in text where numbers.count <= 4 {
      if byte == 0x20 || byte == 0x00 {
        isInNumber = false
        continue
      }
      guard let digit = Self.digit(byte) else { return nil }
      if !isInNumber { numbers.append(0) }
      isInNumber = true
      numbers[numbers.count - 1] = numbers[numbers.count - 1] << 4 | digit
    }
    guard numbers.count >= 4, let priming = UInt32(exactly: numbers[1]),
      let remainder = UInt32(exactly: numbers[2])
    else { return nil }
    self.init(priming: priming, remainder: remainder, validCount: numbers[3])
  }

  /// Returns the value of a hexadecimal digit; nil for other bytes.
  static func digit(_ byte: UInt8) -> UInt64? {
    switch byte {
    case 0x30...0x39: UInt64(byte - 0x30)
    case 0x41...0x46: UInt64(byte - 0x41 + 10)
    case 0x61...0x66: UInt64(byte - 0x61 + 10)
    default: nil
    }
  }

  /// Appends a space and `digits` hexadecimal digits.
  static func append(_ value: UInt64, digits: Int, to text: inout [UInt8]) {
    text.append(0x20)
    for index in 0..<digits {
      let digit = UInt8(truncatingIfNeeded: value >> UInt64(4 * (digits - 1 - index))) & 15
      text.append(digit < 10 ? 0x30 + digit : 0x41 + digit - 10)
    }
  }
}
