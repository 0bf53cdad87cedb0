/// The names by which a server of this machine may be asked for.
///
/// A page that a browser shows may come from a name that its owner makes mean our address after the
/// page is there (DNS rebinding), and could then ask for everything here. But it asks by that name.
package struct HostNames: Sendable {
  /// Names and addresses, in lower case.
  private let names: Set<String>
  /// Whether any address in numbers will do, which nobody can give another meaning.
  private let takesAddresses: Bool

  /// The names of a server that listens at an address of a machine of this name.
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
  /// Which port it is does not matter: who has led a port elsewhere to this one, as `ssh -L` does,
  /// asks for that, and a name that is not ours is not let in at any port.
  package func contains(_ host: String) -> Bool {
    guard let place = HostAddress.split(host) else { return false }
    let name = place.host.lowercased()
    return names.contains(name) || (takesAddresses && HostAddress.isNumeric(name))
  }
}
