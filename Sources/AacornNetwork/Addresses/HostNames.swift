/// The host names by which clients may address a server on this machine.
///
/// The owner of a web page's host name may redirect the name to our address (DNS rebinding), so
/// that the page could make requests here. Such requests still contain that name.
package struct HostNames: Sendable {
  /// The names and addresses, in lower case.
  private let names: Set<String>
  /// Whether any numeric address is accepted.
  ///
  /// Numeric addresses cannot be redirected.
  private let takesAddresses: Bool

  /// Creates the names of a server at an address, on a machine with the name `hostName`.
  package init(address: String, hostName: String) {
    let address = address.lowercased()
    var names: Set = ["localhost", "127.0.0.1", "::1", address]
    let name = hostName.lowercased()
    if !name.isEmpty {
      names.insert(name)
      names.insert(name.hasSuffix(".local") ? name : name + ".local")
    }
    self.names = names
    takesAddresses = !HostAddress.isLoopback(address)
  }

  /// Returns whether a host, with an optional port, names this server.
  ///
  /// The port is ignored. A user who forwards another port to this server, for example with `ssh
  /// -L`, requests that port, and a foreign name is rejected with any port.
  package func contains(_ host: String) -> Bool {
    guard let parts = try? HostAddress.split(host[...]) else { return false }
    let name = parts.host.lowercased()
    return names.contains(name) || (takesAddresses && HostAddress.isNumeric(name))
  }
}
