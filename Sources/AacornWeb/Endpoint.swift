/// Where to connect to, and how.
public struct Endpoint: Sendable, Equatable {
  /// A name or an address; IPv6 without brackets.
  public var host: String
  /// The port.
  public var port: Int
  /// Whether the bytes are encrypted and the server has to prove who it is.
  public var isSecure: Bool
  /// A file of certificates to trust instead of the system's.
  public var certificateFile: String?
  /// A proxy such as `http://proxy:3128`; nil uses what the environment says.
  public var proxy: String?

  /// A place.
  public init(host: String, port: Int, isSecure: Bool = false) {
    self.host = host
    self.port = port
    self.isSecure = isSecure
  }
}

extension Endpoint: CustomStringConvertible, CustomDebugStringConvertible, CustomReflectable {
  /// As people write it: `host:port`, with brackets around IPv6.
  public var description: String {
    host.contains(":") ? "[\(host)]:\(port)" : "\(host):\(port)"
  }

  /// The same.
  public var debugDescription: String { description }

  /// All but the proxy's address, which may hold a password.
  public var customMirror: Mirror {
    Mirror(
      self,
      children: [
        "host": host, "port": port, "isSecure": isSecure,
        "certificateFile": certificateFile as Any, "hasProxy": proxy.map { !$0.isEmpty } as Any,
      ])
  }
}
