/// A server address as typed, parsed as far as secrets and credentials require.
///
///     scheme://user:password@host:port/path
///
/// Protocols interpret it themselves; nothing is decoded here.
package struct StreamAddress: Sendable, Equatable {
  package let text: String
  package let scheme: String
  package let user: String?
  package let password: Secret?
  /// With the port, if there is one; IPv6 in brackets.
  package let authority: String
  /// Begins with a slash, or is empty.
  package let path: String

  /// Parses the address of a proxy, which need not name its scheme.
  package init?(proxy text: String) {
    let hasScheme = text.contains("://")
    self.init(typed: text, text: hasScheme ? text : "http://" + text)
  }

  /// Parses an address; nil if there is no `scheme://host`.
  package init?(_ text: String) { self.init(typed: text, text: text) }

  private init?(typed: String, text: String) {
    guard let colon = text.firstRange(of: "://"), colon.lowerBound > text.startIndex else {
      return nil
    }
    self.text = typed
    scheme = text[..<colon.lowerBound].lowercased()
    let rest = text[colon.upperBound...]
    let at = Self.endOfLogin(rest)
    let place = at.map { rest[$0...].dropFirst() } ?? rest
    let end = place.firstIndex { "/?#".contains($0) } ?? place.endIndex
    let host = place[..<end]
    if host.isEmpty { return nil }
    authority = host.lowercased()
    path = String(place[end...])
    let parts = at.map {
      rest[..<$0].split(separator: ":", maxSplits: 1, omittingEmptySubsequences: false)
    }
    user = parts?.first.map(String.init).flatMap { $0.isEmpty ? nil : $0 }
    password = parts.flatMap { $0.count == 2 ? Secret(String($0[1])) : nil }
  }

  /// Where the @ is that ends user and password.
  private static func endOfLogin(_ rest: Substring) -> Substring.Index? {
    let authority = rest.prefix { !"/?#".contains($0) }
    // A password may contain an unencoded @; a host cannot.
    if let at = authority.lastIndex(of: "@") { return at }
    // Unencoded slashes and question marks in a password are refused, but not shown before that.
    guard !authority.hasPrefix("["), let colon = authority.firstIndex(of: ":"),
      !authority[colon...].dropFirst().allSatisfy(\.isNumber)
    else { return nil }
    return rest.lastIndex(of: "@")
  }

  /// What the scheme means; nil for one that nothing here speaks.
  package var meaning: StreamScheme? { StreamScheme(scheme) }

  /// The host without the port.
  package var host: String {
    if authority.hasPrefix("["), let end = authority.firstIndex(of: "]") {
      return String(authority[...end])
    }
    return String(authority.prefix { $0 != ":" })
  }

  /// The stream key: the last part of a path with at least two, unless the scheme is one whose
  /// paths are public.
  ///
  /// A path that ends with a slash has no key.
  package var streamKey: Secret? { pathAndKey.map { Secret($0.key) } }

  /// The query, which is for the server only, if it is not part of a stream key.
  package var query: Secret? {
    guard pathAndKey == nil, let mark = path.firstIndex(of: "?") else { return nil }
    let text = path[mark...].dropFirst()
    return text.isEmpty ? nil : Secret(String(text))
  }

  /// What nobody else should see.
  package var secrets: [Secret] { [password, streamKey, query].compactMap(\.self) }

  private var pathAndKey: (place: String, key: String)? {
    if meaning?.hasPublicPath == true { return nil }
    // A key may have a query, and slashes in it.
    let end = path.firstIndex(of: "?") ?? path.endIndex
    guard let slash = path[..<end].lastIndex(of: "/"), slash > path.startIndex else { return nil }
    let key = path[path.index(after: slash)...]
    return key.isEmpty || key.first == "?" ? nil : (String(path[..<slash]), String(key))
  }

  /// The address for display, without user, password and stream key.
  package var shown: String {
    let place = pathAndKey?.place ?? path
    return "\(scheme)://\(authority)\(place.prefix { $0 != "?" })"
  }

  /// The address with every byte of its secrets replaced, at the same length; nil if it has none.
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

  /// The names under which a credentials file may list it, the most specific first.
  package var places: [String] {
    let place = shown.dropFirst(scheme.count + 3)
    return [String(place), authority, host]
  }
}
