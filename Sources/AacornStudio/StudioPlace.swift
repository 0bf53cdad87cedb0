import AacornWeb

/// Where a studio listens.
public enum StudioPlace: Sendable, Equatable {
  /// A port, 0 for any free one, at a numeric address of this machine; `127.0.0.1` and `::1` keep
  /// other machines out.
  case port(Int, address: String = "127.0.0.1")
  /// A Unix socket at this path, which only the user who runs the studio may use: for a proxy.
  case socket(String)

  /// Whether other machines can reach it.
  package var isOpenToOthers: Bool {
    switch self {
    case .port(_, let address): !HostAddress.isLoopback(address)
    case .socket: false
    }
  }
}
