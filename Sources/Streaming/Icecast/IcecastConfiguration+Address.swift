extension IcecastConfiguration {
  /// Takes `icecast://user:password@host:8000/mount` apart.
  ///
  /// `icecasts` encrypts; `http` and `https` mean the same two. Without a port it is 8000 for
  /// `icecast` and 8443 for `icecasts`, as in the example configuration that servers come with,
  /// and the web's 80 and 443 for the other two. Without a user it is `source`. A password given
  /// apart wins. What has a meaning of its own in an address is percent-encoded: `%40` for `@`,
  /// `%2F` for `/`.
  ///
  /// Errors never repeat the address: where it is wrong, nobody knows which part is the password.
  public init(address: String, password: String?) throws(StreamingError) {
    var rest = Substring(address)
    guard let colon = rest.firstRange(of: "://"),
      let (isSecure, port) = Self.schemes[rest[..<colon.lowerBound].lowercased()]
    else {
      throw .wrong("it does not begin with icecast://, icecasts://, http:// or https://")
    }
    rest = rest[colon.upperBound...]
    if rest.contains(where: { $0 == "?" || $0 == "#" }) {
      throw .wrong("a question mark in it must be written as %3F, and a number sign as %23")
    }
    let slash = rest.firstIndex(of: "/") ?? rest.endIndex
    var place = rest[..<slash]
    let path = rest[slash...]
    if path.contains("@") {
      throw .wrong("an @ in a mount must be written as %40, and a slash in a password as %2F")
    }
    let at = place.lastIndex(of: "@")
    let credentials = at.map { place[..<$0] }
    if let at { place = place[place.index(after: at)...] }
    guard let mount = PercentCoding.decode(path) else {
      throw .wrong("a percent sign in the mount does not begin the code of a character")
    }
    if mount.allSatisfy({ $0 == "/" }) {
      throw .wrong("it has no mount, such as /live.aac, after the host")
    }
    let (user, ownPassword) = try Self.credentials(credentials ?? "")
    guard let password = password ?? ownPassword, !password.isEmpty else {
      throw StreamingError(
        .unauthorized, "There is no password for the Icecast server. Give its source password.")
    }
    var endpoint = try Self.endpoint(place, port)
    endpoint.isSecure = isSecure
    self.init(endpoint: endpoint, mount: mount, password: password)
    if let user, !user.isEmpty { self.user = user }
  }

  /// Whether a scheme encrypts, and its port.
  private static let schemes = [
    "icecast": (false, 8000), "icecasts": (true, 8443), "http": (false, 80), "https": (true, 443),
  ]

  private static func credentials(
    _ text: Substring
  ) throws(StreamingError) -> (user: String?, password: String?) {
    let colon = text.firstIndex(of: ":") ?? text.endIndex
    guard let user = PercentCoding.decode(text[..<colon]),
      let password = PercentCoding.decode(text[colon...].dropFirst())
    else {
      throw .wrong("a percent sign in user or password must be written as %25")
    }
    // The colon is where the password begins (RFC 7617, 2).
    if user.contains(":") { throw .wrong("a user name cannot have a colon in it") }
    return (user, colon == text.endIndex ? nil : password)
  }

  /// Host and port, with brackets around IPv6 (RFC 3986, 3.2.2).
  private static func endpoint(
    _ text: Substring, _ standardPort: Int
  ) throws(StreamingError) -> Endpoint {
    var host = text
    var port: Substring?
    if text.hasPrefix("[") {
      guard let end = text.firstIndex(of: "]") else { throw .wrong("a bracket is not closed") }
      host = text[..<end].dropFirst()
      let rest = text[end...].dropFirst()
      guard rest.isEmpty || rest.hasPrefix(":"),
        host.allSatisfy({ $0.isHexDigit || $0 == ":" || $0 == "." })
      else { throw .wrong("what is in brackets is no IPv6 address") }
      if !rest.isEmpty { port = rest.dropFirst() }
    } else if let colon = text.firstIndex(of: ":") {
      host = text[..<colon]
      port = text[colon...].dropFirst()
    }
    guard !host.isEmpty, host.allSatisfy({ isPartOfHost($0) }) else {
      throw .wrong("it has no host, or one that no computer can have")
    }
    guard let port else { return Endpoint(host: String(host), port: standardPort) }
    guard let number = UInt16(port), number > 0 else {
      throw .wrong("the port is no number from 1 to 65535; IPv6 needs brackets around it")
    }
    return Endpoint(host: String(host), port: Int(number))
  }

  private static func isPartOfHost(_ character: Character) -> Bool {
    character.isLetter || character.isNumber || "-._:".contains(character)
  }
}

extension StreamingError {
  fileprivate static func wrong(_ reason: String) -> StreamingError {
    StreamingError(
      .unsupported,
      "The address of the Icecast server is wrong: \(reason). "
        + "It looks like icecast://source:PASSWORD@radio.example:8000/live.aac.")
  }
}
