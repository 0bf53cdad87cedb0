import AacornWeb

/// Where a studio listens.
public enum StudioPlace: Sendable, Equatable {
  /// A port, 0 for any free one, of an address of this machine in numbers; `127.0.0.1` and `::1`
  /// let no other machine in.
  case port(Int, address: String = "127.0.0.1")
  /// A Unix socket at this path, which only the user that runs the studio may use: for a proxy.
  case socket(String)

  /// Whether other machines can reach it.
  package var isOpenToOthers: Bool {
    switch self {
    case .port(_, let address): !HostAddress.isLoopback(address)
    case .socket: false
    }
  }
}
