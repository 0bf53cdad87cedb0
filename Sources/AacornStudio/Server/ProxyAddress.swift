package import AacornNetwork

/// An address at which a proxy makes the studio reachable.
package struct ProxyAddress: Sendable, Equatable {
  /// The origin that browsers send for pages from this address (RFC 6454).
  let origin: String
  /// The host as browsers send it, with its port unless it is the default port.
  let host: String
  /// Whether browsers connect to the proxy over HTTPS.
  let isSecure: Bool

  /// Parses an address such as `https://studio.example/`; throws if it is invalid.
  package init(_ text: String) throws(NetworkError) {
    let lowercase = text.lowercased()
    guard let scheme = ["https://", "http://"].first(where: { lowercase.hasPrefix($0) }) else {
      throw Self.error(text, "it begins with neither https:// nor http://")
    }
    isSecure = scheme == "https://"
    var authority = lowercase.dropFirst(scheme.count)
    if authority.hasSuffix("/") { authority.removeLast() }
    if authority.contains(where: { "/?#".contains($0) }) {
      throw Self.error(text, "the studio needs its own host name, and cannot be below a path")
    }
    guard let parts = try? HostAddress.split(authority), HostAddress.isHost(parts.host)
    else {
      throw Self.error(text, "its host name is missing or not valid in browsers")
    }
    host = Self.withoutDefaultPort(String(authority), isSecure: isSecure)
    origin = scheme + host
  }

  /// The URL of the studio's page at the proxy.
  package var url: String { origin + "/" }

  /// Whether a request for this host came through the proxy.
  func isAsked(by host: String) -> Bool {
    Self.withoutDefaultPort(host.lowercased(), isSecure: isSecure) == self.host
  }

  private static func withoutDefaultPort(_ host: String, isSecure: Bool) -> String {
    let port = isSecure ? ":443" : ":80"
    return host.hasSuffix(port) ? String(host.dropLast(port.count)) : host
  }

  private static func error(_ text: String, _ reason: String) -> NetworkError {
    NetworkError(
      .unsupported,
      "“\(HTTPRequest.printable(text))” cannot be an address of the studio: \(reason)."
        + " Give one such as https://studio.example/.")
  }
}
