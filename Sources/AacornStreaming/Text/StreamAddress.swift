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
    let end = rest.firstIndex { "/?#".contains($0) } ?? rest.endIndex
    // A password may contain an unencoded @; a host cannot.
    let at = rest[..<end].lastIndex(of: "@")
    let host = at.map { rest[rest.index(after: $0)..<end] } ?? rest[..<end]
    if host.isEmpty { return nil }
    authority = host.lowercased()
    path = String(rest[end...])
    let parts = at.map {
      rest[..<$0].split(separator: ":", maxSplits: 1, omittingEmptySubsequences: false)
    }
    user = parts?.first.map(String.init).flatMap { $0.isEmpty ? nil : $0 }
    password = parts.flatMap { $0.count == 2 ? Secret(String($0[1])) : nil }
  }

  /// The host without the port.
  package var host: String {
    if authority.hasPrefix("["), let end = authority.firstIndex(of: "]") {
      return String(authority[...end])
    }
    return String(authority.prefix { $0 != ":" })
  }

  /// The stream key, if the path of an RTMP address has at least two parts, the last of which it
  /// is.
  ///
  /// A path that ends with a slash has no key.
  package var streamKey: Secret? {
    guard scheme.hasPrefix("rtmp"), let (_, key) = pathAndKey else { return nil }
    return Secret(key)
  }

  /// The query of an RTMP address, which is for the server only, if there is no stream key.
  package var query: Secret? {
    guard scheme.hasPrefix("rtmp"), pathAndKey == nil, let mark = path.firstIndex(of: "?") else {
      return nil
    }
    return Secret(String(path[mark...].dropFirst()))
  }

  /// What nobody else should see.
  package var secrets: [Secret] { [password, streamKey, query].compactMap(\.self) }

  private var pathAndKey: (place: String, key: String)? {
    // A key may have a query, and slashes in it.
    let end = path.firstIndex(of: "?") ?? path.endIndex
    guard let slash = path[..<end].lastIndex(of: "/"), slash > path.startIndex else { return nil }
    let key = path[path.index(after: slash)...]
    return key.isEmpty || key.first == "?" ? nil : (String(path[..<slash]), String(key))
  }

  /// The address for display, without user, password and stream key.
  package var shown: String {
    let place = scheme.hasPrefix("rtmp") ? pathAndKey?.place ?? path : path
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
