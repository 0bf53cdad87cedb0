/// A lossless conversion between file names and text.
///
/// A file name is bytes and need not be UTF-8. Invalid bytes become private-use characters
/// U+10FE80…U+10FEFF, so that a String can represent every name and the file can still be opened.
package enum PathText {
  private static let base: UInt32 = 0x10_FE00

  /// Converts the bytes of a file name to text.
  package static func decode(_ bytes: some Collection<UInt8>) -> String {
    let bytes = Array(bytes)
    if let text = String(utf8: bytes),
      text.unicodeScalars.allSatisfy({ rawByte($0) == nil })
    {
      return text
    }
    var scalars = String.UnicodeScalarView()
    var index = 0
    while index < bytes.count {
      let (scalar, length) = scalar(in: bytes, at: index)
      scalars.append(scalar)
      index += length
    }
    return String(scalars)
  }

  /// Converts text made by `decode` back to bytes.
  package static func encode(_ text: String) -> [UInt8] {
    var bytes: [UInt8] = []
    bytes.reserveCapacity(text.utf8.count + 1)
    for scalar in text.unicodeScalars {
      if let byte = rawByte(scalar) {
        bytes.append(byte)
      } else {
        bytes += UTF8.encode(scalar) ?? UTF8.encodedReplacementCharacter
      }
    }
    return bytes
  }

  /// Returns the byte that a private-use character represents; nil for other characters.
  package static func rawByte(_ scalar: Unicode.Scalar) -> UInt8? {
    guard scalar.value >= base + 0x80 && scalar.value <= base + 0xFF else { return nil }
    return UInt8(scalar.value - base)
  }

  private static func scalar(in bytes: [UInt8], at index: Int) -> (Unicode.Scalar, Int) {
    let longest = min(4, bytes.count - index)
    for length in 1...longest {
      let part = bytes[index..<(index + length)]
      // A valid private-use character that represents a byte would be decoded as that byte, so
      // escape its bytes.
      if let text = String(utf8: part),
        let first = text.unicodeScalars.first, rawByte(first) == nil
      {
        return (first, length)
      }
    }
    let escape = Unicode.Scalar(base + UInt32(bytes[index])) ?? "\u{FFFD}"
    return (escape, 1)
  }
}
