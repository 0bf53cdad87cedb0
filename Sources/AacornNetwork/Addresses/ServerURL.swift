import AacornSystem

/// A server address as typed (RFC 3986, 3).
///
///     scheme://user:password@host:port/path?query
///
/// An invalid address is split, too, so that its secrets can be hidden.
package struct ServerURL: Sendable, Equatable {
  /// The reason why an address is invalid: the end of a sentence about it.
  ///
  /// It never repeats any part of the address: any part may be the password.
  package enum Fault: String, Error {
    case scheme = "its scheme is not supported"
    case host = "the host is missing or invalid"
    case bracket = "a bracket is not closed"
    case numericHost = "the text in brackets is not an IPv6 address"
    case port = """
      the port after the host is not between 1 and 65535; an IPv6 address needs brackets around \
      it, and in a password a slash is written as %2F and a question mark as %3F
      """
    case numberSign = "a number sign in user or password must be written as %23"
    case percentSign = "a percent sign in user or password must be written as %25"
  }

  package let text: String
  private let schemeName: String
  /// The user and the password; nil without an `@`.
  private let login: Substring?
  private let hostAndPort: Substring
  /// The path and the query.
  ///
  /// Either empty, or begins with `/`, `?` or `#`.
  package let target: Substring

  /// Parses the address of a proxy.
  ///
  /// The scheme is optional.
  package init?(proxy text: String) {
    let hasScheme = text.contains("://")
    self.init(typed: text, text: hasScheme ? text : "http://" + text)
  }

  /// Parses an address.
  ///
  /// Returns nil if it does not begin with `scheme://host`.
  package init?(_ text: String) { self.init(typed: text, text: text) }

  private init?(typed: String, text: String) {
    guard let colon = text.firstRange(of: "://"), colon.lowerBound > text.startIndex else {
      return nil
    }
    self.text = typed
    schemeName = text[..<colon.lowerBound].lowercased()
    let rest = text[colon.upperBound...]
    let at = Self.endOfLogin(rest)
    login = at.map { rest[..<$0] }
    let location = at.map { rest[$0...].dropFirst() } ?? rest
    hostAndPort = location.prefix { !"/?#".contains($0) }
    target = location[hostAndPort.endIndex...]
    if hostAndPort.isEmpty { return nil }
  }

  /// Returns the index of the `@` that ends user and password.
  private static func endOfLogin(_ rest: Substring) -> Substring.Index? {
    let authority = rest.prefix { !"/?#".contains($0) }
    // A password may contain an unencoded @ and a host cannot, so the last @ separates them.
    if let at = authority.lastIndex(of: "@") { return at }
    // A password with unencoded slashes or question marks is rejected later, but must not be
    // displayed.
    guard !authority.hasPrefix("["), let colon = authority.firstIndex(of: ":"),
      !authority[colon...].dropFirst().allSatisfy(\.isNumber)
    else { return nil }
    return rest.lastIndex(of: "@")
  }

  /// The scheme; nil for an unsupported one.
  package var scheme: Scheme? { Scheme(rawValue: schemeName) }

  /// The user as typed; nil without an `@`.
  package var user: String? { login.map { String($0.prefix { $0 != ":" }) } }

  /// The password as typed; nil without a colon before the `@`.
  package var password: Secret? {
    guard let login, let colon = login.firstIndex(of: ":") else { return nil }
    return Secret(String(login[colon...].dropFirst()))
  }

  /// The host with the port, if there is one, in lower case.
  ///
  /// IPv6 addresses are in brackets.
  package var authority: String { hostAndPort.lowercased() }

  /// The path up to the question mark, as typed.
  ///
  /// Either empty, or begins with `/` or `#`.
  package var path: Substring { target.prefix { $0 != "?" } }

  /// The text after the question mark, as typed; nil without one.
  package var query: Substring? {
    let rest = target[path.endIndex...]
    return rest.isEmpty ? nil : rest.dropFirst()
  }

  // MARK: Connecting

  /// Returns the host and port to connect to.
  package func endpoint() throws(Fault) -> NetworkEndpoint {
    guard let scheme else { throw .scheme }
    switch login?.first(where: { "/?#".contains($0) }) {
    case nil: break
    case "#": throw .numberSign
    default: throw .port
    }
    let (host, port) = try HostAddress.split(hostAndPort)
    return NetworkEndpoint(host: host, port: port ?? scheme.port, isSecure: scheme.isSecure)
  }

  /// Returns the decoded user and password.
  package func credentials() throws(Fault) -> (user: String?, password: String?) {
    (try Self.decoded(user), try Self.decoded(password?.text))
  }

  private static func decoded(_ text: String?) throws(Fault) -> String? {
    guard let text else { return nil }
    guard let decoded = PercentCoding.decode(text) else { throw .percentSign }
    return decoded
  }

  // MARK: Secrets

  /// The stream key: the last component of a path with at least two, unless the scheme's paths are
  /// public.
  ///
  /// A path that ends with a slash has no key.
  package var streamKey: Secret? { pathAndKey.map { Secret($0.key) } }

  /// The query, if it is neither empty nor part of a stream key.
  ///
  /// It is for the server only.
  package var secretQuery: Secret? {
    guard pathAndKey == nil, let query, !query.isEmpty else { return nil }
    return Secret(String(query))
  }

  /// The values that must not be displayed.
  package var secrets: [Secret] { [password, streamKey, secretQuery].compactMap(\.self) }

  private var pathAndKey: (place: Substring, key: String)? {
    if scheme?.hasPublicPath == true { return nil }
    // The key includes the query, which may contain slashes, so search for the slash before it.
    guard let slash = path.lastIndex(of: "/"), slash > target.startIndex else { return nil }
    let key = target[slash...].dropFirst()
    return key.isEmpty || key.first == "?" ? nil : (target[..<slash], String(key))
  }

  /// The address for display, without user, password and stream key.
  package var shown: String { "\(schemeName)://\(location)" }

  private var location: String { "\(authority)\(pathAndKey?.place ?? path)" }

  /// The address with every byte of its secrets replaced, at the same length; nil if it has no
  /// secrets.
  package var masked: String? {
    var result = Array(text.utf8)
    func mask(_ secret: Secret?, endingAt end: Int) {
      guard let count = secret?.text.utf8.count else { return }
      for index in end - count..<end { result[index] = UInt8(ascii: "x") }
    }
    mask(streamKey ?? secretQuery, endingAt: result.count)
    let rest = text.utf8.count - target.utf8.count
    mask(password, endingAt: rest - hostAndPort.utf8.count - 1)
    let masked = String(decoding: result, as: UTF8.self)
    return masked == text ? nil : masked
  }

  /// The names by which a credentials file may list the address, most specific first.
  package var credentialNames: [String] {
    let end = authority.hasPrefix("[") ? authority.lastIndex(of: "]") : nil
    let host = end.map { authority[...$0] } ?? authority.prefix { $0 != ":" }
    return [location, authority, String(host)]
  }
}

extension ServerURL {
  /// A supported scheme of a server's address; the raw value is the text before `://`.
  package enum Scheme: String, CaseIterable, Sendable {
    case icecast, icecasts, http, https, rtmp, rtmps

    /// Whether the connection is encrypted.
    package var isSecure: Bool { [.icecasts, .https, .rtmps].contains(self) }

    /// The default port.
    ///
    /// The ports for Icecast are from its example configuration.
    package var port: Int {
      switch self {
      case .icecast: 8000
      case .icecasts: 8443
      case .http: 80
      case .https, .rtmps: 443
      case .rtmp: 1935
      }
    }

    /// Whether the complete path may be displayed.
    ///
    /// Otherwise its last component is a stream key.
    var hasPublicPath: Bool { self != .rtmp && self != .rtmps }

    /// Returns a list such as “icecast://, icecasts:// or rtmp://”.
    package static func list(_ schemes: [Scheme]) -> String {
      listed(schemes.map { "\($0.rawValue)://" }, "or")
    }
  }
}
