package import AacornNetwork

/// An address at which a proxy makes the studio reachable.
package struct ProxyAddress: Sendable, Equatable {
  private let endpoint: NetworkEndpoint

  /// Parses an address such as `https://studio.example/`; throws if it is invalid.
  package init(_ text: String) throws(NetworkError) {
    let lowercase = text.lowercased()
    guard lowercase.hasPrefix("https://") || lowercase.hasPrefix("http://") else {
      throw Self.error(text, "it begins with neither https:// nor http://")
    }
    let url = ServerURL(lowercase)
    if let url, !["", "/"].contains(url.target) {
      throw Self.error(text, "the studio needs its own host name, and cannot be below a path")
    }
    guard let url, url.user == nil, let endpoint = try? url.endpoint(),
      HostAddress.isHost(endpoint.host)
    else {
      throw Self.error(text, "its host name is missing or not valid in browsers")
    }
    self.endpoint = endpoint
  }

  /// Whether browsers connect to the proxy over HTTPS.
  var isSecure: Bool { endpoint.isSecure }

  /// The host as browsers send it, with its port unless it is the default port.
  var host: String { endpoint.authority }

  /// The origin that browsers send for pages from this address (RFC 6454).
  var origin: String { "\(endpoint.webScheme.rawValue)://\(host)" }

  /// The URL of the studio's page at the proxy.
  package var url: String { origin + "/" }

  /// Whether a request for this host came through the proxy.
  func isAsked(by host: String) -> Bool {
    [self.host, "\(self.host):\(endpoint.webScheme.port)"].contains(host.lowercased())
  }

  private static func error(_ text: String, _ reason: String) -> NetworkError {
    NetworkError(
      .unsupported,
      "“\(HTTPRequest.printable(text))” cannot be an address of the studio: \(reason)."
        + " Give one such as https://studio.example/.")
  }
}
