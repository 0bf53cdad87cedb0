/// A server address as typed (RFC 3986, 3).
///
///     scheme://user:password@host:port/path?query
///
/// An invalid address is split, too, so that its secrets can be hidden.
package struct ServerURL: Sendable, Equatable {
  package let text: String
  private let schemeName: String
  package let user: String?
  package let password: Secret?
  /// The host with the port, if there is one.
  ///
  /// IPv6 addresses are in brackets.
  package let authority: String
  /// The path and the query.
  ///
  /// Either empty, or begins with `/`, `?` or `#`.
  package let path: String
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
    let location = at.map { rest[$0...].dropFirst() } ?? rest
    let end = location.firstIndex { "/?#".contains($0) } ?? location.endIndex
    let host = location[..<end]
    if host.isEmpty { return nil }
    authority = host.lowercased()
    path = String(location[end...])
    let parts = at.map {
      rest[..<$0].split(separator: ":", maxSplits: 1, omittingEmptySubsequences: false)
    }
    user = parts?.first.map(String.init).flatMap { $0.isEmpty ? nil : $0 }
    password = parts.flatMap { $0.count == 2 ? Secret(String($0[1])) : nil }
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

  /// The host without the port.
  package var host: String {
    if authority.hasPrefix("["), let end = authority.firstIndex(of: "]") {
      return String(authority[...end])
    }
    return String(authority.prefix { $0 != ":" })
  }

  /// The stream key: the last component of a path with at least two, unless the scheme's paths are
  /// public.
  ///
  /// A path that ends with a slash has no key.
  package var streamKey: Secret? { pathAndKey.map { Secret($0.key) } }

  /// The query without the question mark, if it is not part of a stream key.
  ///
  /// It is for the server only.
  package var query: Secret? {
    guard pathAndKey == nil, let mark = path.firstIndex(of: "?") else { return nil }
    let text = path[mark...].dropFirst()
    return text.isEmpty ? nil : Secret(String(text))
  }

  /// The values that must not be displayed.
  package var secrets: [Secret] { [password, streamKey, query].compactMap(\.self) }

  private var pathAndKey: (place: String, key: String)? {
    if scheme?.hasPublicPath == true { return nil }
    // The key includes the query, which may contain slashes, so search for the slash before it.
    let end = path.firstIndex(of: "?") ?? path.endIndex
    guard let slash = path[..<end].lastIndex(of: "/"), slash > path.startIndex else { return nil }
    let key = path[path.index(after: slash)...]
    return key.isEmpty || key.first == "?" ? nil : (String(path[..<slash]), String(key))
  }

  /// The address for display, without user, password and stream key.
  package var shown: String {
    let shownPath = pathAndKey?.place ?? path
    return "\(schemeName)://\(authority)\(shownPath.prefix { $0 != "?" })"
  }

  /// The address with every byte of its secrets replaced, at the same length; nil if it has no
  /// secrets.
  package var masked: String? {
    var result = Array(text.utf8)
    func mask(_ secret: Secret?, endingAt end: Int) {
      guard let count = secret?.text.utf8.count else { return }
      for index in end - count..<end { result[index] = UInt8(ascii: "x") }
    }
    mask(streamKey ?? query, endingAt: result.count)
    let rest = text.utf8.count - path.utf8.count
    if password != nil, let at = result[..<rest].lastIndex(of: UInt8(ascii: "@")) {
      mask(password, endingAt: at)
    }
    let masked = String(decoding: result, as: UTF8.self)
    return masked == text ? nil : masked
  }

  /// The names by which a credentials file may list the address, most specific first.
  package var credentialNames: [String] {
    let location = shown.dropFirst(schemeName.count + 3)
    return [String(location), authority, host]
  }
}
