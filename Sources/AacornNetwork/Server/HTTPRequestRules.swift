/// Rules that ensure that all programs interpret a request alike.
///
/// If a proxy and a server interpret the same bytes as different requests, an attacker can hide one
/// request inside another (RFC 9112 11.2).
enum HTTPRequestRules {
  /// Returns the violation in the headers of a request, as a message, or nil if they are valid.
  static func fault(in headers: [HTTPField], version: String) -> String? {
    for field in headers {
      // An invalid name may end with a blank, which other programs treat as part of the name.
      if !HTTPField.isToken(field.name) { return "The name of a header is invalid." }
      if field.value.utf8.contains(where: isForbidden) {
        return "A header contains invalid characters."
      }
    }
    let hosts = headers.count { $0.name.lowercased() == "host" }
    if hosts > 1 || (hosts == 0 && version == "HTTP/1.1") {
      return "A request must have exactly one Host header."
    }
    let lengths = headers.filter { $0.name.lowercased() == "content-length" }
    let codings = headers.filter { $0.name.lowercased() == "transfer-encoding" }
    if lengths.count + codings.count > 1 { return "The length of the body is given twice." }
    if let length = lengths.first, Self.length(length.value) == nil {
      return "The length of the body is invalid."
    }
    if let coding = codings.first,
      coding.value.lowercased() != "chunked" || version == "HTTP/1.0"
    {
      return "The body has an unsupported encoding."
    }
    return nil
  }

  /// Returns the body size that the headers announce, in bytes, or nil for a chunked body.
  static func bodySize(_ headers: [HTTPField]) -> Int? {
    if headers.first(named: "Transfer-Encoding") != nil { return nil }
    return headers.first(named: "Content-Length").flatMap(length) ?? 0
  }

  /// Parses a length: digits only (RFC 9110 8.6).
  ///
  /// A number that does not fit is invalid, too.
  private static func length(_ text: String) -> Int? {
    let isNumber =
      !text.isEmpty
      && text.utf8.allSatisfy { $0 >= UInt8(ascii: "0") && $0 <= UInt8(ascii: "9") }
    return isNumber ? Int(text) : nil
  }

  private static func isForbidden(_ byte: UInt8) -> Bool {
    (byte < 0x20 && byte != UInt8(ascii: "\t")) || byte == 0x7F
  }
}
