/// The first bytes of a box: size and name (ISO/IEC 14496-12, 4.2).
struct BoxHeader {
  /// The length of the whole box in bytes; 0 means "to the end of the file".
  var size: UInt64 = 0
  var type = FourCharacterCode(rawValue: 0)
  /// The length of the header: 8, or 16 with a 64-bit size.
  var byteCount = 8
  /// Whether the header exists, and the size is 0 or at least covers the header.
  var isValid = false
  /// Whether the bytes are not a box but the zeros that end a list in QuickTime files.
  var isTerminator = false

  /// Reads the header at `start`, without bytes at `limit` or beyond.
  init(_ bytes: [UInt8], at start: Int, limit: Int) {
    guard limit - start >= 8 else {
      isTerminator = bytes[start..<limit].allSatisfy { $0 == 0 }
      return
    }
    size = UInt64(Self.word(bytes, at: start))
    type = FourCharacterCode(rawValue: Self.word(bytes, at: start + 4))
    if size == 1 {
      guard limit - start >= 16 else { return }
      byteCount = 16
      size =
        UInt64(Self.word(bytes, at: start + 8)) << 32 | UInt64(Self.word(bytes, at: start + 12))
      isValid = size >= 16
    } else {
      isTerminator = type.rawValue == 0 && (size == 0 || size == 8)
      isValid = size == 0 || size >= 8
    }
  }

  private static func word(_ bytes: [UInt8], at index: Int) -> UInt32 {
    var value: UInt32 = 0
    for byte in bytes[index..<index + 4] { value = value << 8 | UInt32(byte) }
    return value
  }
}
