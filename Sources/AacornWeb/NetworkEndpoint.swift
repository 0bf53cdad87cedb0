/// Where to connect to, and how.
public struct NetworkEndpoint: Sendable, Equatable {
  /// A name or an address; IPv6 without brackets.
  public var host: String
  /// The port.
  public var port: Int
  /// Whether the bytes are encrypted and the server must prove its identity.
  public var isSecure: Bool
  /// A file of certificates to trust instead of the system's.
  public var certificateFile: String?
  /// A proxy such as `http://proxy:3128`; nil uses the environment's settings.
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
  /// The usual notation: `host:port`, with brackets around IPv6.
  public var description: String {
    host.contains(":") ? "[\(host)]:\(port)" : "\(host):\(port)"
  }

  /// The same.
  public var debugDescription: String { description }

  /// Everything but the proxy's address, which may contain a password.
  public var customMirror: Mirror {
    Mirror(
      self,
      children: [
        "host": host, "port": port, "isSecure": isSecure,
        "certificateFile": certificateFile as Any, "hasProxy": proxy.map { !$0.isEmpty } as Any,
      ])
  }
}
