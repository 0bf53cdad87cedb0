extension String {
  /// Creates the text of UTF-8 bytes; nil if they are not valid UTF-8.
  ///
  /// The standard library's initializer is available on Apple's systems only since iOS 18 and macOS
  /// 15.
  package init?(utf8 bytes: some Collection<UInt8>) {
    // Invalid bytes become U+FFFD, so that the bytes of the text differ from the input.
    self.init(decoding: bytes, as: UTF8.self)
    guard utf8.elementsEqual(bytes) else { return nil }
  }
}

extension FixedWidthInteger {
  /// Parses a decimal number without a sign; nil if the text has other characters or the number
  /// does not fit.
  package init?(digits text: some StringProtocol) {
    guard text.utf8.allSatisfy(\.isDigit) else { return nil }
    self.init(text)
  }
}

/// The classes of ASCII characters.
extension UInt8 {
  /// Whether the byte is a decimal digit.
  package var isDigit: Bool { (0x30...0x39).contains(self) }

  /// Whether the byte is a letter.
  package var isLetter: Bool { (0x61...0x7A).contains(self | 0x20) }

  /// The value of a hexadecimal digit; nil for other bytes.
  package var hexadecimalValue: Int? {
    if isDigit { return Int(self) - 0x30 }
    return (0x61...0x66).contains(self | 0x20) ? Int(self | 0x20) - 0x61 + 10 : nil
  }
}
