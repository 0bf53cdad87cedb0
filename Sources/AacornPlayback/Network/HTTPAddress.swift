import AacornNetwork

/// The address of an audio stream or file on the web.
struct HTTPAddress: Equatable, Sendable {
  /// The server.
  let endpoint: NetworkEndpoint
  /// The path and the query, as sent.
  let target: String
  /// Whether the server is known to be in a private network or to be this computer.
  var isPrivate = false
  /// Whether the server is allowed to be in a private network: true for an address from the user.
  var mayBePrivate = true

  /// Parses an address such as `https://radio.example:8443/live?x=1`.
  ///
  /// Returns nil if it is invalid.
  init?(_ text: String) {
    let bytes = Array(text.utf8)
    // Spaces and control characters would end the request line.
    guard bytes.count <= 8192, bytes.allSatisfy({ $0 > 0x20 && $0 != 0x7F }) else { return nil }
    // The fragment is not for the server. A zone of an IPv6 address is rejected, because redirects
    // into private networks are recognized by the address.
    guard let url = ServerURL(String(text.prefix { $0 != "#" })), url.user == nil,
      url.scheme == .http || url.scheme == .https, let endpoint = try? url.endpoint(),
      !endpoint.host.contains("%")
    else { return nil }
    self.endpoint = endpoint
    target = (url.target.hasPrefix("/") ? "" : "/") + url.target
    isPrivate = PrivateHosts.contain(endpoint.host)
  }

  /// Whether the scheme is `https`.
  var isSecure: Bool { endpoint.isSecure }

  /// The host and port as sent and displayed, without the default port.
  var authority: String { endpoint.authority }

  /// The address of the server without the path.
  var server: String { "\(endpoint.webScheme.rawValue)://\(endpoint)" }

  /// The complete address, for display.
  var text: String { "\(endpoint.webScheme.rawValue)://\(authority)\(target)" }
}
