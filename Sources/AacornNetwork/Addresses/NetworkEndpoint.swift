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
