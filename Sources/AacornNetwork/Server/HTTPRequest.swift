import AacornSystem

/// A client's request.
public struct HTTPRequest: Sendable {
  /// The method as received, such as `GET` or `POST`.
  public var method: String
  /// The decoded components of the path.
  ///
  /// No component is empty, `.` or `..`.
  public var components: [String]
  /// The decoded items of the query, in order.
  public var query: [HTTPField]
  /// The headers, in order of arrival.
  public var headers: [HTTPField]
  /// The body; empty without one.
  public var body: [UInt8]
  /// The numeric address of the client, or of a proxy in between; `unix` for a Unix domain socket.
  public var remoteAddress: String
  /// A number that is equal for clients that probably belong together; 0 for this machine.
  package var neighborhood: UInt64 = 0

  /// Creates a request.
  public init(
    method: String = "GET", components: [String] = [], query: [HTTPField] = [],
    headers: [HTTPField] = [], body: [UInt8] = [], remoteAddress: String = ""
  ) {
    self.method = method
    self.components = components
    self.query = query
    self.headers = headers
    self.body = body
    self.remoteAddress = remoteAddress
  }

  /// The decoded path.
  ///
  /// It begins with a slash.
  public var path: String { "/" + components.joined(separator: "/") }

  /// Returns the value of the first header with a name, ignoring case.
  public func header(_ name: String) -> String? { headers.first(named: name) }

  /// Returns the value of the first query item with a name.
  public func queryValue(_ name: String) -> String? { query.first { $0.name == name }?.value }
}

/// A name with a value: a header, or an item of a query or form.
public struct HTTPField: Sendable, Hashable {
  /// The name.
  public var name: String
  /// The value.
  public var value: String

  /// Creates a field.
  public init(_ name: String, _ value: String) {
    self.name = name
    self.value = value
  }

  /// Returns whether a text can be the name of a header (RFC 9110 5.6.2).
  static func isToken(_ text: String) -> Bool { isToken(text.utf8) }

  /// Returns whether the bytes form an HTTP token, such as a header name or a method.
  static func isToken(_ bytes: some Collection<UInt8>) -> Bool {
    !bytes.isEmpty
      && bytes.allSatisfy { byte in
        byte.isLetter || byte.isDigit || "!#$%&'*+-.^_`|~".utf8.contains(byte)
      }
  }
}

extension [HTTPField] {
  /// Returns the value of the first header with a name, ignoring case (RFC 9110 5.1).
  func first(named name: String) -> String? {
    first { $0.name.lowercased() == name.lowercased() }?.value
  }
}

extension HTTPRequest: CustomStringConvertible {
  /// The method and the path on one line, for logs.
  ///
  /// Unprintable characters are replaced.
  ///
  /// The query is omitted, because it may contain passwords and keys.
  public var description: String { Self.printable("\(method) \(path)") }

  /// Returns untrusted text in which characters that could end a line or control a terminal are
  /// replaced.
  package static func printable(_ text: String, longest: Int = 200) -> String {
    var clean = String.UnicodeScalarView()
    for scalar in text.unicodeScalars.prefix(longest) {
      let isSafe =
        switch scalar.properties.generalCategory {
        case .control, .format, .lineSeparator, .paragraphSeparator, .privateUse, .unassigned,
          .surrogate:
          false
        default: true
        }
      clean.append(isSafe ? scalar : "\u{FFFD}")
    }
    return String(clean)
  }
}

extension HTTPRequest {
  /// Returns the decoded fields of a form in the body, in order.
  ///
  /// Returns nil if there is no form, or if it is invalid or has more fields than the limit.
  ///
  /// The body must have the format that browsers send for a form or `URLSearchParams`
  /// (`application/x-www-form-urlencoded`). A name may occur several times.
  public func form(limit: Int = 256) -> [HTTPField]? {
    let type = header("Content-Type")?.prefix { $0 != ";" && $0 != " " }.lowercased()
    guard type == "application/x-www-form-urlencoded",
      let items = HTTPFieldList.items(body, limit: limit)
    else { return nil }
    var fields: [HTTPField] = []
    for item in items {
      guard let name = Self.text(item.name), let value = Self.text(item.value) else { return nil }
      fields.append(HTTPField(name, value))
    }
    return fields
  }

  private static func text(_ bytes: [UInt8]) -> String? {
    HTTPFieldList.decode(bytes).flatMap { String(utf8: $0) }
  }
}

/// Functions that parse the target of a request (RFC 9112 3.2).
enum HTTPTarget {
  /// Returns the components of a target's path without its query, or nil if the path must be
  /// rejected.
  ///
  /// No accepted path leads out of a folder: each component is decoded separately and once. It is
  /// then rejected if it contains a path separator of any system, or names a parent folder.
  static func components(of target: String) -> [String]? {
    var rest = Substring(target)
    // A client that treats us as a proxy sends the complete address (RFC 9112 3.2.2).
    if let authority = authority(of: target) {
      rest = target[authority.endIndex...]
      if rest.isEmpty { rest = "/" }
    }
    guard rest.utf8.first == UInt8(ascii: "/") else { return nil }
    var components: [String] = []
    for part in rest.utf8.split(separator: UInt8(ascii: "/")) {
      guard let bytes = PercentCoding.decode(part), let text = String(utf8: bytes),
        text != ".", text != "..", !bytes.contains(where: isForbidden)
      else { return nil }
      components.append(text)
    }
    return components
  }

  /// Returns the host and port of a target that is a complete address, or nil if it is a path.
  static func authority(of target: String) -> Substring? {
    guard let scheme = ["http://", "https://"].first(where: target.lowercased().hasPrefix) else {
      return nil
    }
    return target.dropFirst(scheme.count).prefix { $0 != "/" && $0 != "?" }
  }

  private static func isForbidden(_ byte: UInt8) -> Bool {
    byte < 0x20 || byte == 0x7F || byte == UInt8(ascii: "/") || byte == UInt8(ascii: "\\")
  }
}

/// Functions that parse lists of names and values, such as queries and forms.
enum HTTPFieldList {
  /// Returns the items of a query or form, encoded and in order, or nil if there are more than the
  /// limit.
  static func items(
    _ bytes: some Collection<UInt8>, limit: Int
  ) -> [(name: [UInt8], value: [UInt8])]? {
    var items: [(name: [UInt8], value: [UInt8])] = []
    for pair in bytes.split(separator: UInt8(ascii: "&")) {
      if items.count >= limit { return nil }
      let sides = pair.split(
        separator: UInt8(ascii: "="), maxSplits: 1, omittingEmptySubsequences: false)
      items.append((Array(sides[0]), sides.count > 1 ? Array(sides[1]) : []))
    }
    return items
  }

  /// Decodes a name or value, in which a plus sign is a space.
  ///
  /// Returns nil if the bytes are invalid.
  static func decode(_ bytes: [UInt8]) -> [UInt8]? {
    PercentCoding.decode(bytes.map { $0 == UInt8(ascii: "+") ? UInt8(ascii: " ") : $0 })
  }

  /// Returns the decoded items of a query, or nil if there are more than the limit.
  ///
  /// Invalid items are omitted.
  static func query(_ query: Substring, limit: Int) -> [HTTPField]? {
    items(query.utf8, limit: limit)?.compactMap { item in
      guard let name = decode(item.name), let value = decode(item.value) else { return nil }
      return HTTPField(
        String(decoding: name, as: UTF8.self), String(decoding: value, as: UTF8.self))
    }
  }
}
