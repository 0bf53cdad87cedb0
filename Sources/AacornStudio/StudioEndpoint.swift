import AacornNetwork

/// The port or socket on which a studio listens.
public enum StudioEndpoint: Sendable, Equatable {
  /// A port, 0 for any free one, at a numeric address of this machine.
  ///
  /// Other machines cannot reach `127.0.0.1` and `::1`.
  case port(Int, address: String = "127.0.0.1")
  /// A Unix socket at this path, accessible only to the user who runs the studio, for a proxy.
  case socket(String)

  /// Whether other machines can reach the studio.
  package var isOpenToOthers: Bool {
    switch self {
    case .port(_, let address): !HostAddress.isLoopback(address)
    case .socket: false
    }
  }
}
