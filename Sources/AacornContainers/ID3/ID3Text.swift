/// Decodes the texts in ID3v2 frames (ID3v2.4, 4: “Text encoding”).
enum ID3Text {
  /// Returns the zero-separated texts, including empty ones.
  static func values(_ bytes: ArraySlice<UInt8>, encoding: UInt8) -> [String] {
    if encoding == 3 {
      return bytes.split(separator: 0, omittingEmptySubsequences: false).map {
        String(decoding: $0, as: UTF8.self)
      }
    }
    let units = units(bytes, encoding: encoding)
    return units.split(separator: 0, omittingEmptySubsequences: false).map { units in
      // A byte order mark may precede each text, and differ from the order of the first text.
      switch units.first {
      case 0xFEFF: String(decoding: units.dropFirst(), as: UTF16.self)
      case 0xFFFE: String(decoding: units.dropFirst().map { $0.byteSwapped }, as: UTF16.self)
      default: String(decoding: units, as: UTF16.self)
      }
    }
  }

  /// Returns the bytes after the first text and its zero.
  static func bytesAfterText(_ bytes: ArraySlice<UInt8>, encoding: UInt8) -> [UInt8] {
    let width = encoding == 1 || encoding == 2 ? 2 : 1
    var index = bytes.startIndex
    while index + width <= bytes.endIndex {
      let isEnd = bytes[index..<index + width].allSatisfy { $0 == 0 }
      index += width
      if isEnd { return Array(bytes[index...]) }
    }
    return []
  }

  /// Returns Latin-1 as code units, or UTF-16 in the order of its byte order mark.
  private static func units(_ bytes: ArraySlice<UInt8>, encoding: UInt8) -> [UInt16] {
    if encoding != 1 && encoding != 2 { return bytes.map { UInt16($0) } }
    return bytes.units(isBigEndian: encoding == 2 || bytes.starts(with: [0xFE, 0xFF]))
  }
}
