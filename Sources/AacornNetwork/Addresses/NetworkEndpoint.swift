/// The host and port to connect to, with the security settings.
public struct NetworkEndpoint: Sendable, Equatable {
  /// The host name or numeric address; IPv6 without brackets.
  public var host: String
  /// The port, from 1 to 65535.
  public var port: Int
  /// Whether the connection is encrypted and the server must prove its identity.
  public var isSecure: Bool
  /// A file of certificates that are trusted instead of the system's.
  public var certificateFile: String?
  /// A proxy such as `http://proxy:3128`.
  ///
  /// Nil uses the settings of the environment.
  public var proxy: String?

  /// Creates an endpoint.
  public init(host: String, port: Int, isSecure: Bool = false) {
    self.host = host
    self.port = port
    self.isSecure = isSecure
  }
}

extension NetworkEndpoint: CustomStringConvertible, CustomDebugStringConvertible, CustomReflectable
{
  /// The notation `host:port`, with brackets around IPv6 addresses.
  public var description: String {
    host.contains(":") ? "[\(host)]:\(port)" : "\(host):\(port)"
  }

  /// The same notation as in `description`.
  public var debugDescription: String { description }

  /// All properties except the address of the proxy, which may contain a password.
  public var customMirror: Mirror {
    Mirror(
      self,
      children: [
        "host": host, "port": port, "isSecure": isSecure,
        "certificateFile": certificateFile as Any, "hasProxy": proxy.map { !$0.isEmpty } as Any,
      ])
  }
}

extension NetworkEndpoint {
  /// The scheme of web addresses at the endpoint.
  package var webScheme: ServerURL.Scheme { isSecure ? .https : .http }

  /// The host and port for display and for the `Host` header, without the default port of HTTP.
  ///
  /// Some servers do not recognize their name with a port.
  package var authority: String {
    port == webScheme.port ? String(description.dropLast(":\(port)".count)) : description
  }

  /// The URL of the endpoint, for libcurl; nil if the endpoint is invalid.
  ///
  /// Special characters of URLs are not accepted in a host name, because they could lead to another
  /// host.
  package var url: String? {
    let marks = "/\\?#@[]\"<>^`{|}%".unicodeScalars
    guard !host.isEmpty, (1...65535).contains(port) else { return nil }
    let isNumber = host.contains(":")
    // The zone of a link-local address is the only position at which % may occur (RFC 6874, 2).
    let parts = host.split(separator: "%", maxSplits: 1, omittingEmptySubsequences: false)
    guard parts.count == 1 || isNumber else { return nil }
    for part in parts {
      let isName = part.unicodeScalars.allSatisfy { mark in
        mark.value > 0x20 && mark.value != 0x7F && !marks.contains(mark)
      }
      if part.isEmpty || !isName { return nil }
    }
    let name = isNumber ? "[" + parts.joined(separator: "%25") + "]" : host
    return "\(webScheme.rawValue)://\(name):\(port)"
  }

  /// The address to send to the server.
  ///
  /// It has no IPv6 zone, which is valid only on this computer (RFC 6874, 4).
  package var withoutZone: NetworkEndpoint {
    var endpoint = self
    if host.contains(":") { endpoint.host = String(host.prefix { $0 != "%" }) }
    return endpoint
  }
}
