/// A client's request.
public struct HTTPRequest: Sendable {
  /// The method as received, such as `GET` or `POST`.
  public var method: String
  /// The parts of the path between the slashes, decoded once; none is empty, `.` or `..`.
  public var components: [String]
  /// What follows the question mark, decoded, in order.
  public var query: [HTTPField]
  /// The headers in order.
  public var headers: [HTTPField]
  /// The body; empty if there is none.
  public var body: [UInt8]
  /// The client's numeric address, or that of a proxy in between; `unix` for a socket file.
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

  /// The path, beginning with a slash.
  public var path: String { "/" + components.joined(separator: "/") }

  /// The value of the first header with a name, regardless of case.
  public func header(_ name: String) -> String? { headers.first(named: name) }

  /// The value of the first query item with a name.
  public func queryValue(_ name: String) -> String? { query.first { $0.name == name }?.value }
}

/// A name and a value: a header, or an item of a query.
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

  /// Whether a text can be the name of a header (RFC 9110 5.6.2).
  static func isToken(_ text: String) -> Bool { isToken(text.utf8) }

  /// Whether bytes can be the name of a header, or a method.
  static func isToken(_ bytes: some Collection<UInt8>) -> Bool {
    !bytes.isEmpty
      && bytes.allSatisfy { byte in
        switch byte {
        case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
          UInt8(ascii: "0")...UInt8(ascii: "9"):
          true
        default: "!#$%&'*+-.^_`|~".utf8.contains(byte)
        }
      }
  }
}

extension [HTTPField] {
  /// The value of the first header with a name, regardless of case (RFC 9110 5.1).
  func first(named name: String) -> String? {
    first { $0.name.lowercased() == name.lowercased() }?.value
  }
}

extension HTTPRequest: CustomStringConvertible {
  /// Method and path on one line, whatever the client has put into them; for logs.
  ///
  /// The query is left out, since it may contain passwords and keys.
  public var description: String { Self.printable("\(method) \(path)") }

  /// Untrusted text, with whatever could end a line or steer a terminal replaced.
  package static func printable(_ text: String, longest: Int = 200) -> String {
    var clean = String.UnicodeScalarView()
    for scalar in text.unicodeScalars.prefix(longest) {
      let isHarmless =
        switch scalar.properties.generalCategory {
        case .control, .format, .lineSeparator, .paragraphSeparator, .privateUse, .unassigned,
          .surrogate:
          false
        default: true
        }
      clean.append(isHarmless ? scalar : "\u{FFFD}")
    }
    return String(clean)
  }
}
