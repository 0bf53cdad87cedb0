import AacornSystem

/// Percent-encoding of text (RFC 3986, 2.1).
package enum PercentCoding {
  /// Encodes text for a URL.
  ///
  /// All characters except unreserved ones and `kept` become hexadecimal UTF-8 bytes.
  package static func encode(_ text: String, keeping kept: String = "") -> String {
    var result = ""
    for byte in text.utf8 {
      if isUnreserved(byte) || kept.utf8.contains(byte) {
        result.unicodeScalars.append(Unicode.Scalar(byte))
      } else {
        result += "%" + (byte < 16 ? "0" : "") + String(byte, radix: 16, uppercase: true)
      }
    }
    return result
  }

  /// Decodes text from a URL.
  ///
  /// Returns nil if a percent sign is not followed by two hexadecimal digits, or if the bytes are
  /// not UTF-8.
  package static func decode(_ text: some StringProtocol) -> String? {
    decode(text.utf8).flatMap { String(utf8: $0) }
  }

  /// Decodes bytes from a URL.
  ///
  /// Returns nil if a percent sign is not followed by two hexadecimal digits.
  static func decode(_ bytes: some Sequence<UInt8>) -> [UInt8]? {
    var decoded: [UInt8] = []
    var iterator = bytes.makeIterator()
    while let byte = iterator.next() {
      if byte != UInt8(ascii: "%") {
        decoded.append(byte)
        continue
      }
      guard let high = iterator.next()?.hexadecimalValue,
        let low = iterator.next()?.hexadecimalValue
      else { return nil }
      decoded.append(UInt8(high << 4 | low))
    }
    return decoded
  }

  /// Returns whether a byte is a letter, a digit or one of four marks (RFC 3986, 2.3).
  private static func isUnreserved(_ byte: UInt8) -> Bool {
    byte.isLetter || byte.isDigit || "-._~".utf8.contains(byte)
  }
}
