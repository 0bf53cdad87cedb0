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
