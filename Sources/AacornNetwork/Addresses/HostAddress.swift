import AacornSystem

/// Functions for hosts and addresses in the notation of URLs.
package enum HostAddress {
  /// Splits `host:port` into the host, without brackets, and the port, which may be missing.
  package static func split(
    _ text: Substring
  ) throws(ServerURL.Fault) -> (host: String, port: Int?) {
    let host: String
    let rest: Substring
    if text.hasPrefix("[") {
      guard let end = text.firstIndex(of: "]") else { throw .bracket }
      guard let number = numericHost(text[..<end].dropFirst()) else { throw .numericHost }
      host = number
      rest = text[end...].dropFirst()
    } else {
      let name = text.prefix { $0 != ":" }
      host = String(name)
      rest = text[name.endIndex...]
      if host.isEmpty || !host.allSatisfy(isPartOfName) { throw .host }
    }
    if rest.isEmpty { return (host, nil) }
    guard rest.hasPrefix(":"), let port = UInt16(digits: rest.dropFirst()), port > 0 else {
      throw .port
    }
    return (host, Int(port))
  }

  /// Parses an IPv6 address with an optional zone: `fe80::1%25eth0` (RFC 6874, 2).
  private static func numericHost(_ text: Substring) -> String? {
    let zoneMark = text.firstRange(of: "%25")
    let address = String(text[..<(zoneMark?.lowerBound ?? text.endIndex)])
    guard address.contains(":"), isNumeric(address) else { return nil }
    guard let zoneMark else { return address }
    let zone = text[zoneMark.upperBound...]
    return zone.isEmpty || !zone.allSatisfy(isPartOfName) ? nil : "\(address)%\(zone)"
  }

  private static func isPartOfName(_ character: Character) -> Bool {
    character.isLetter || character.isNumber || "-._".contains(character)
  }

  /// Returns whether only programs on this machine can connect to an address.
  package static func isLoopback(_ address: String) -> Bool {
    address == "localhost" || address == "::1" || (address.hasPrefix("127.") && isNumeric(address))
  }

  /// Returns whether a server at this address listens at all addresses of the machine.
  package static func isWildcard(_ address: String) -> Bool {
    address == "0.0.0.0" || address == "::"
  }

  /// Returns whether a host is a numeric address, which needs no lookup.
  package static func isNumeric(_ host: String) -> Bool {
    if host.contains(":") {
      // IPv6 has at least two colons. A single colon precedes a port.
      return host.utf8.count(where: { $0 == UInt8(ascii: ":") }) > 1
        && host.utf8.allSatisfy { $0.hexadecimalValue != nil || ":.".utf8.contains($0) }
    }
    let parts = host.split(separator: ".", omittingEmptySubsequences: false)
    return parts.count == 4
      && parts.allSatisfy { part in
        (1...3).contains(part.utf8.count) && part.utf8.allSatisfy(\.isDigit)
          && Int(part).map { $0 <= 255 } == true
      }
  }

  /// Returns whether a host is a numeric address, or a name as browsers send it.
  package static func isHost(_ host: String) -> Bool {
    if host.contains(":") { return isNumeric(host) }
    return !host.isEmpty
      && host.utf8.allSatisfy { byte in
        byte.isDigit || byte.isLetter || "-._".utf8.contains(byte)
      }
  }
}

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
