extension RTMPConfiguration {
  /// Takes `rtmp://host:1935/application/key` apart.
  ///
  /// `rtmps` encrypts. Without a port it is 1935, and 443 for `rtmps`. The last part of the path is
  /// the stream key, with the query that follows it, unless the key is given apart: then all of the
  /// path is the application, and the query belongs to that. A user and a password may stand before
  /// the host; what has a meaning of its own in an address is percent-encoded in them: `%40` for
  /// `@`, `%2F` for `/`.
  ///
  /// Errors never repeat the address: where it is wrong, nobody knows which part is the key.
  public init(address: String, streamKey: String?) throws(StreamingError) {
    guard let colon = address.firstRange(of: "://"),
      let (isSecure, port) = Self.schemes[address[..<colon.lowerBound].lowercased()]
    else { throw .wrong("it does not begin with rtmp:// or rtmps://") }
    var place = address[colon.upperBound...]
    let slash = place.firstIndex { $0 == "/" || $0 == "?" } ?? place.endIndex
    let path = place[slash...]
    place = place[..<slash]
    let at = place.lastIndex(of: "@")
    let credentials = at.map { place[..<$0] }
    if let at { place = place[place.index(after: at)...] }

    var endpoint = try Self.endpoint(place, port)
    endpoint.isSecure = isSecure
    let (application, ownKey) = Self.split(path, hasKeyApart: streamKey != nil)
    guard let application else { throw .wrong("it has no application after the host") }
    guard let key = streamKey ?? ownKey, !key.isEmpty else {
      throw StreamingError(
        .unsupported,
        "There is no stream key for the RTMP server. Give the one that the service shows you, "
          + "apart or as the last part of the address.")
    }
    self.init(endpoint: endpoint, application: application, streamKey: key)
    if let credentials { (user, password) = try Self.credentials(credentials) }
  }

  /// Whether a scheme encrypts, and its port.
  private static let schemes = ["rtmp": (false, plainPort), "rtmps": (true, securePort)]

  /// The application, and the key if it is in the path; nil for what is missing.
  private static func split(
    _ path: Substring, hasKeyApart: Bool
  ) -> (application: String?, key: String?) {
    let queryStart = path.firstIndex(of: "?") ?? path.endIndex
    let query = path[queryStart...]
    var parts = path[..<queryStart].dropFirst().split(
      separator: "/", omittingEmptySubsequences: false)
    if hasKeyApart {
      // A slash at the end is what services print where the key is to follow.
      while parts.last?.isEmpty == true { parts.removeLast() }
      let application = parts.joined(separator: "/")
      return (application.isEmpty ? nil : "\(application)\(query)", nil)
    }
    let name = parts.count > 1 ? parts.removeLast() : ""
    let application = parts.joined(separator: "/")
    return (application.isEmpty ? nil : application, name.isEmpty ? nil : "\(name)\(query)")
  }

  private static func credentials(
    _ text: Substring
  ) throws(StreamingError) -> (user: String, password: String) {
    let colon = text.firstIndex(of: ":") ?? text.endIndex
    guard let user = PercentCoding.decode(text[..<colon]),
      let password = PercentCoding.decode(text[colon...].dropFirst())
    else { throw .wrong("a percent sign in user or password must be written as %25") }
    guard !user.isEmpty, colon != text.endIndex else {
      throw .wrong("before the @ it has no user, or no password after a colon")
    }
    return (user, password)
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
    guard !host.isEmpty,
      host.allSatisfy({ $0.isLetter || $0.isNumber || "-._:".contains($0) })
    else { throw .wrong("it has no host, or one that no computer can have") }
    guard let port else { return Endpoint(host: String(host), port: standardPort) }
    guard let number = UInt16(port), number > 0 else {
      throw .wrong("the port is no number from 1 to 65535; IPv6 needs brackets around it")
    }
    return Endpoint(host: String(host), port: Int(number))
  }
}

extension StreamingError {
  fileprivate static func wrong(_ reason: String) -> StreamingError {
    StreamingError(
      .unsupported,
      "The address of the RTMP server is wrong: \(reason). "
        + "It looks like rtmp://live.example/application/KEY.")
  }
}
