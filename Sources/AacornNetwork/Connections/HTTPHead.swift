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

  /// Checks the host and the length of the body.
  ///
  /// If a proxy and a server interpret the same bytes as different requests, an attacker can hide
  /// one request inside another (RFC 9112 11.2).
  func check() throws(HTTPFault) {
    func values(_ name: String) -> [String] {
      fields.filter { $0.name.lowercased() == name }.map(\.value)
    }
    let hostCount = values("host").count
    if hostCount > 1 || (hostCount == 0 && version == "HTTP/1.1") {
      throw HTTPFault("A request must have exactly one Host header.")
    }
    let (lengths, codings) = (values("content-length"), values("transfer-encoding"))
    if lengths.count + codings.count > 1 {
      throw HTTPFault("The length of the body is given twice.")
    }
    // Digits only (RFC 9110 8.6).
    if let length = lengths.first, Int(digits: length) == nil {
      throw HTTPFault("The length of the body is invalid.")
    }
    if let coding = codings.first, coding.lowercased() != "chunked" || version == "HTTP/1.0" {
      throw HTTPFault("The body has an unsupported encoding.")
    }
  }

  /// The size of the body that the headers announce, in bytes; nil for a chunked body.
  var bodySize: Int? {
    if fields.first(named: "Transfer-Encoding") != nil { return nil }
    return fields.first(named: "Content-Length").flatMap { Int(digits: $0) } ?? 0
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

/// The reason why the bytes of a client are not a request.
///
/// Nothing after them is read.
///
/// If two programs interpret bytes differently, a request can be hidden inside another one (RFC
/// 9112 11.2). So every violation of the grammar is a fault.
struct HTTPFault: Error, Equatable {
  /// The status of the response (RFC 9110 15).
  let status: Int
  /// The violation, as a message.
  let message: String

  init(_ message: String, status: Int = 400) {
    self.status = status
    self.message = message
  }

  /// A carriage return or a line feed without its counterpart (RFC 9112 2.2).
  static let bareLineEnd = HTTPFault("A line does not end with CR LF.")
  /// More empty lines before a request than any client sends (RFC 9112 2.2).
  static let emptyLines = HTTPFault("It begins with empty lines.")
  /// An invalid request line (RFC 9112 3).
  static let firstLine = HTTPFault("Its first line is not a valid request line.")
  /// A method that is not a token (RFC 9110 9.1).
  static let method = HTTPFault("Its method contains invalid characters.")
  /// An invalid request target (RFC 9112 3.2).
  static let target = HTTPFault("Its address contains invalid characters.")
  /// An unsupported version (RFC 9110 15.6.6).
  static let version = HTTPFault("Only HTTP/1.1 and HTTP/1.0 are supported.", status: 505)
  /// A request target beyond the limit (RFC 9110 15.5.15).
  static let longTarget = HTTPFault("Its address is too long.", status: 414)
  /// Headers beyond the limit (RFC 6585 5).
  static let longHead = HTTPFault("Its headers are too long.", status: 431)
  /// A line that continues the previous one, or a blank before the first header (RFC 9112 2.2,
  /// 5.2).
  static let folded = HTTPFault("A header line begins with a space or tab.")
  /// A header without a colon (RFC 9112 5).
  static let noColon = HTTPFault("A header line has no colon.")
  /// An invalid header name (RFC 9112 5.1, which also forbids blanks before the colon).
  static let name = HTTPFault("The name of a header is invalid.")
  /// An invalid header value (RFC 9110 5.5).
  static let value = HTTPFault("A header contains invalid characters.")
  /// Invalid chunked encoding (RFC 9112 7.1).
  static let chunk = HTTPFault("The chunked encoding of the body is invalid.")
}
