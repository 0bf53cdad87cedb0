/// The names under which a server on this machine may be addressed.
///
/// A web page may come from a name whose owner later makes it point to our address (DNS rebinding),
/// and could then request everything here. But its requests carry that name.
package struct HostNames: Sendable {
  /// Names and addresses, in lower case.
  private let names: Set<String>
  /// Whether any numeric address is accepted; nobody can redirect those.
  private let takesAddresses: Bool

  /// The names of a server that listens at an address, on a machine with this name.
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

  /// Whether a host, with its port, is this server.
  ///
  /// The port does not matter: someone who forwards a port to this one, as `ssh -L` does, requests
  /// that port, and a foreign name is rejected at any port.
  package func contains(_ host: String) -> Bool {
    guard let place = HostAddress.split(host) else { return false }
    let name = place.host.lowercased()
    return names.contains(name) || (takesAddresses && HostAddress.isNumeric(name))
  }
}
