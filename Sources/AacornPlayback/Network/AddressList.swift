/// A list of addresses, as radio stations offer it on web pages: M3U without the tags of HLS, or
/// PLS.
enum AddressList {
  /// The maximum number of lines to read.
  private static let lineLimit = 1000
  /// The UTF-8 byte order mark at the beginning of some files.
  private static let byteOrderMark: [UInt8] = [0xEF, 0xBB, 0xBF]

  /// Returns the first address in a list, or nil if there is none.
  ///
  /// In a PLS file this is the address of File1, or the first other address if File1 is missing or
  /// empty.
  static func first(in bytes: [UInt8]) -> String? {
    let lines = bytes.split(maxSplits: lineLimit) { $0 == 0x0A || $0 == 0x0D }
    let isPLS = lines.first.map { lowercased($0.suffix(10)) == "[playlist]" } ?? false
    var other: String?
    for line in lines.prefix(lineLimit) where line.count <= HLSPlaylist.maxLineLength {
      var address = withoutBlanks(line)
      var isFirst = true
      if isPLS {
        guard let equals = address.firstIndex(of: UInt8(ascii: "=")) else { continue }
        let key = lowercased(address[..<equals])
        guard key.hasPrefix("file"), Int(key.dropFirst(4)) != nil else { continue }
        isFirst = key == "file1"
        address = withoutBlanks(address[(equals + 1)...])
      } else if address.first == UInt8(ascii: "#") {
        continue
      }
      let trimmed = address.prefix { !isBlank($0) }
      if trimmed.isEmpty { continue }
      let text = String(decoding: trimmed, as: UTF8.self)
      if isFirst { return text }
      other = other ?? text
    }
    return other
  }

  private static func isBlank(_ byte: UInt8) -> Bool { byte == 0x20 || byte == 0x09 }

  private static func lowercased(_ bytes: ArraySlice<UInt8>) -> String {
    String(decoding: bytes, as: UTF8.self).lowercased()
  }

  private static func withoutBlanks(_ line: ArraySlice<UInt8>) -> ArraySlice<UInt8> {
    var line = line
    while true {
      if let first = line.first, isBlank(first) {
        line = line.dropFirst()
      } else if line.starts(with: byteOrderMark) {
        line = line.dropFirst(byteOrderMark.count)
      } else {
        return line
      }
    }
  }
}
