import AacornNetwork

/// A parsed server address (RFC 3986, 3).
///
///     scheme://user:password@host:port/path?query
///
/// Errors never repeat any part of it: in an invalid address any part may be the password.
struct ServerAddress {
  /// The form of the addresses of a protocol.
  struct Form: Sendable {
    /// The common name of the protocol.
    var name: String
    /// The allowed schemes.
    var schemes: [ServerURL.Scheme]
    /// An example of a valid address.
    var example: String
  }

  /// The host and port to connect to.
  let endpoint: NetworkEndpoint
  /// The decoded user before the host; nil without an `@`.
  let user: String?
  /// The decoded password after the colon; nil without a colon.
  let password: String?
  /// The path up to the question mark, as written.
  ///
  /// Either empty or begins with a slash.
  let path: Substring
  /// The text after the question mark, as written; nil without one.
  let query: Substring?

  /// Parses an address.
  init(_ text: String, as form: Form) throws(NetworkError) {
    let colon = text.firstRange(of: "://")
    let name = colon.map { text[..<$0.lowerBound].lowercased() }
    guard let colon, let scheme = form.schemes.first(where: { $0.rawValue == name }) else {
      throw form.error("it does not begin with \(ServerURL.Scheme.list(form.schemes))")
    }
    let rest = text[colon.upperBound...]
    let end = rest.firstIndex { "/?#".contains($0) } ?? rest.endIndex
    guard !rest[end...].hasPrefix("#") else {
      throw form.error("a number sign in user or password must be written as %23")
    }
    let authority = rest[..<end]
    // A password may contain an unencoded @ and a host cannot, so the last @ separates them.
    let at = authority.lastIndex(of: "@")
    let hostAndPort = at.map { authority[$0...].dropFirst() } ?? authority
    endpoint = try Self.endpoint(hostAndPort, scheme, form)
    (user, password) = try Self.credentials(at.map { authority[..<$0] }, form)
    let question = rest[end...].firstIndex(of: "?") ?? rest.endIndex
    path = rest[end..<question]
    query = question < rest.endIndex ? rest[question...].dropFirst() : nil
  }

  private static func credentials(
    _ text: Substring?, _ form: Form
  ) throws(NetworkError) -> (user: String?, password: String?) {
    guard let text else { return (nil, nil) }
    let colon = text.firstIndex(of: ":") ?? text.endIndex
    guard let user = PercentCoding.decode(text[..<colon]),
      let password = PercentCoding.decode(text[colon...].dropFirst())
    else { throw form.error("a percent sign in user or password must be written as %25") }
    return (user, colon == text.endIndex ? nil : password)
  }

  private static func endpoint(
    _ text: Substring, _ scheme: ServerURL.Scheme, _ form: Form
  ) throws(NetworkError) -> NetworkEndpoint {
    var host: String
    var rest: Substring
    if text.hasPrefix("[") {
      guard let end = text.firstIndex(of: "]") else {
        throw form.error("a bracket is not closed")
      }
      guard let number = numericHost(text[..<end].dropFirst()) else {
        throw form.error("the text in brackets is not an IPv6 address")
      }
      host = number
      rest = text[end...].dropFirst()
    } else {
      let end = text.firstIndex(of: ":") ?? text.endIndex
      host = String(text[..<end])
      rest = text[end...]
      guard !host.isEmpty, host.allSatisfy({ isPartOfName($0) }) else {
        throw form.error("the host is missing or invalid")
      }
    }
    if rest.isEmpty {
      return NetworkEndpoint(host: host, port: scheme.port, isSecure: scheme.isSecure)
    }
    let digits = rest.dropFirst()
    guard rest.hasPrefix(":"), digits.allSatisfy({ $0.isASCII && $0.isNumber }),
      let port = UInt16(digits), port > 0
    else {
      throw form.error(
        "the port after the host is not between 1 and 65535; an IPv6 address needs brackets around "
          + "it, and in a password a slash is written as %2F and a question mark as %3F")
    }
    return NetworkEndpoint(host: host, port: Int(port), isSecure: scheme.isSecure)
  }

  /// Parses an IPv6 address with an optional zone: `fe80::1%25eth0` (RFC 6874, 2).
  private static func numericHost(_ text: Substring) -> String? {
    let zoneMark = text.firstRange(of: "%25")
    let address = text[..<(zoneMark?.lowerBound ?? text.endIndex)]
    guard address.contains(":"),
      address.allSatisfy({ $0.isHexDigit || $0 == ":" || $0 == "." })
    else { return nil }
    guard let zoneMark else { return String(address) }
    let zone = text[zoneMark.upperBound...]
    guard !zone.isEmpty, zone.allSatisfy({ isPartOfName($0) }) else { return nil }
    return "\(address)%\(zone)"
  }

  private static func isPartOfName(_ character: Character) -> Bool {
    character.isLetter || character.isNumber || "-._".contains(character)
  }
}

extension ServerAddress.Form {
  /// Returns the error for an address that does not have this form.
  func error(_ reason: String) -> NetworkError {
    NetworkError(
      .unsupported,
      "The address of the \(name) server is wrong: \(reason). It should look like \(example).")
  }
}

extension NetworkEndpoint {
  /// The address to send to the server.
  ///
  /// It has no IPv6 zone, which is valid only on this computer (RFC 6874, 4).
  var withoutZone: NetworkEndpoint {
    var endpoint = self
    if host.contains(":") { endpoint.host = String(host.prefix { $0 != "%" }) }
    return endpoint
  }
}
