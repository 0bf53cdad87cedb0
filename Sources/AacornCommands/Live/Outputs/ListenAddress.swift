import AacornSystem

/// An address and a port of a server.
struct ListenAddress: Sendable, Equatable {
  /// An address of this machine; IPv6 without brackets.
  var address: String
  var port: Int

  /// Parses `127.0.0.1:8080`, `[::1]:8080` or `localhost:8080`; nil if the text is invalid.
  ///
  /// `8080` and `:8080` mean this port on the loopback address.
  init?(_ text: String) {
    let host: Substring
    let port: Substring
    if let colon = text.lastIndex(of: ":") {
      host = text[..<colon]
      port = text[text.index(after: colon)...]
    } else {
      host = ""
      port = text[...]
    }
    guard !port.isEmpty, port.utf8.allSatisfy(\.isDigit),
      let number = Int(port), (0...65_535).contains(number)
    else { return nil }
    self.port = number
    if host.hasPrefix("[") {
      guard host.hasSuffix("]"), host.count > 2 else { return nil }
      address = String(host.dropFirst().dropLast())
      return
    }
    if host.contains(":") || host.contains("/") || host.contains("@") { return nil }
    // The default is the loopback address, which other machines cannot reach.
    address =
      switch host {
      case "", "localhost": "127.0.0.1"
      case "*": "0.0.0.0"
      default: String(host)
      }
  }

  /// Returns the warning about a server at this address; nil if only programs on this machine can
  /// connect.
  func warning(option: String) -> String? {
    if address == "::1" || address.hasPrefix("127.") { return nil }
    return
      "\(option) \(authority(port: port)) is open to other machines, without a password and "
      + "unencrypted."
  }

  /// Returns whether a server on one address prevents a server on the other.
  func overlaps(_ other: ListenAddress) -> Bool {
    if port != other.port || port == 0 { return false }
    if address == other.address || address == "::" || other.address == "::" { return true }
    let all = "0.0.0.0"
    return (address == all && !other.address.contains(":"))
      || (other.address == all && !address.contains(":"))
  }

  /// Returns the address with a port, as in URLs.
  func authority(port: Int) -> String {
    address.contains(":") ? "[\(address)]:\(port)" : "\(address):\(port)"
  }
}
