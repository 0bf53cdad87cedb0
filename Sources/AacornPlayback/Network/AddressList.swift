/// A list of addresses, as web pages of radio stations offer it: M3U without the tags of HLS, or PLS.
enum AddressList {
  /// The most lines of what is not read on.
  private static let lineLimit = 1000

  /// The first address in a list; nil if there is none.
  static func first(in bytes: [UInt8]) -> String? {
    let text = String(decoding: bytes, as: UTF8.self)
    let lines = text.split(maxSplits: lineLimit, whereSeparator: \.isNewline)
    let isPLS = lines.first?.lowercased().hasSuffix("[playlist]") == true
    for line in lines.prefix(lineLimit) {
      let line = line.drop { $0 == " " || $0 == "\t" || $0 == "\u{FEFF}" }
      let address: Substring
      if isPLS {
        guard line.lowercased().hasPrefix("file1=") else { continue }
        address = line.dropFirst(6)
      } else {
        if line.hasPrefix("#") { continue }
        address = line
      }
      let trimmed = address.prefix { $0 != " " && $0 != "\t" }
      if !trimmed.isEmpty { return String(trimmed) }
    }
    return nil
  }
}
