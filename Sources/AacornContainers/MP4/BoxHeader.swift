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
    size = bytes[start..<start + 4].number()
    type = FourCharacterCode(rawValue: UInt32(bytes[start + 4..<start + 8].number()))
    if size == 1 {
      guard limit - start >= 16 else { return }
      byteCount = 16
      size = bytes[start + 8..<start + 16].number()
      isValid = size >= 16
    } else {
      isTerminator = type.rawValue == 0 && (size == 0 || size == 8)
      isValid = size == 0 || size >= 8
    }
  }
}
