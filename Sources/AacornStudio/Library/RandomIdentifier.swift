import AacornSystem

/// Creates unguessable names.
enum RandomIdentifier {
  /// Returns `byteCount` random bytes in lowercase hexadecimal.
  static func make(byteCount: Int) -> String {
    var generator = SystemRandomNumberGenerator()
    var text = ""
    for _ in 0..<byteCount {
      text += hexadecimal(UInt32(UInt8.random(in: .min ... .max, using: &generator)), digits: 2)
    }
    return text
  }

  /// Whether a byte is a digit of such a name.
  static func isDigit(_ byte: UInt8) -> Bool {
    switch byte {
    case UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "a")...UInt8(ascii: "f"): true
    default: false
    }
  }
}
