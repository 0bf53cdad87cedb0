import AacornSystem

/// The request line and the headers of a request, as received.
struct HTTPHead: Equatable {
  var method = ""
  var target = ""
  /// `HTTP/1.1`, or `HTTP/1.0` for old clients.
  var version = ""
  var fields: [HTTPField] = []

  /// Whether the client expects no further response on this connection, or cannot recognize the end
  /// of one (RFC 9112 9.3).
  var isLast: Bool { version == "HTTP/1.0" || lists("Connection", "close") }

  /// Whether the client waits for an interim response before it sends the body (RFC 9110 10.1.1).
  var expectsContinue: Bool { version != "HTTP/1.0" && lists("Expect", "100-continue") }

  /// Returns whether a word is in a list header, which may have several lines (RFC 9110 5.6.1).
  private func lists(_ name: String, _ word: String) -> Bool {
    fields.contains { field in
      field.name.lowercased() == name.lowercased()
        && field.value.split(separator: ",").contains { part in
          part.drop(while: Self.isBlank).prefix { !Self.isBlank($0) }.lowercased() == word
        }
    }
  }

  private static func isBlank(_ character: Character) -> Bool {
    character == " " || character == "\t"
  }
}

extension HTTPHead {
  /// Parses a request line without its line end (RFC 9112 3).
  init(firstLine line: ArraySlice<UInt8>) throws(HTTPFault) {
    let parts = line.split(separator: 0x20, omittingEmptySubsequences: false)
    // Other programs may interpret a different number of blanks as more or fewer parts.
    guard parts.count == 3, !parts[1].isEmpty else { throw .firstLine }
    guard HTTPField.isToken(parts[0]) else { throw .method }
    guard parts[1].allSatisfy({ $0 > 0x20 && $0 != 0x7F }) else { throw .target }
    method = String(decoding: parts[0], as: UTF8.self)
    target = String(decoding: parts[1], as: UTF8.self)
    version = try Self.version(parts[2])
  }

  /// Parses the version (RFC 9112 2.3).
  ///
  /// A newer minor version is treated as HTTP/1.1 (RFC 9110 2.5).
  private static func version(_ word: ArraySlice<UInt8>) throws(HTTPFault) -> String {
    let word = Array(word)
    guard word.count == 8, word.starts(with: "HTTP/".utf8), word[5].isDigit, word[7].isDigit,
      word[6] == UInt8(ascii: ".")
    else { throw .firstLine }
    guard word[5] == UInt8(ascii: "1") else { throw .version }
    return word[7] == UInt8(ascii: "0") ? "HTTP/1.0" : "HTTP/1.1"
  }
}

extension HTTPField {
  /// Parses a header line without its line end (RFC 9112 5).
  init(line: ArraySlice<UInt8>) throws(HTTPFault) {
    if let first = line.first, Self.isBlank(first) { throw .folded }
    guard let colon = line.firstIndex(of: UInt8(ascii: ":")) else { throw .noColon }
    let name = line[..<colon]
    guard Self.isToken(name) else { throw .name }
    var value = line[line.index(after: colon)...].drop(while: Self.isBlank)
    while let last = value.last, Self.isBlank(last) { value.removeLast() }
    guard value.allSatisfy({ ($0 >= 0x20 && $0 != 0x7F) || $0 == 0x09 }) else { throw .value }
    self.init(String(decoding: name, as: UTF8.self), String(decoding: value, as: UTF8.self))
  }

  private static func isBlank(_ byte: UInt8) -> Bool { byte == 0x20 || byte == 0x09 }
}
