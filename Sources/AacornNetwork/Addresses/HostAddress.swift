/// Functions for hosts and addresses in the notation of URLs.
package enum HostAddress {
  /// Splits `host:port` into the host, without brackets, and the port.
  ///
  /// Returns nil if the text is invalid.
  package static func split(_ text: String) -> (host: String, port: Int?)? {
    var host = text[...]
    var port: Substring?
    if text.hasPrefix("[") {
      guard let end = text.firstIndex(of: "]") else { return nil }
      host = text[text.index(after: text.startIndex)..<end]
      let rest = text[text.index(after: end)...]
      if !rest.isEmpty {
        guard rest.hasPrefix(":") else { return nil }
        port = rest.dropFirst()
      }
      guard host.contains(":") else { return nil }
    } else if let colon = text.firstIndex(of: ":") {
      host = text[..<colon]
      port = text[text.index(after: colon)...]
    }
    guard !host.isEmpty else { return nil }
    guard let port else { return (String(host), nil) }
    guard (1...5).contains(port.utf8.count), port.utf8.allSatisfy(isDigit), let number = Int(port)
    else { return nil }
    return (String(host), number)
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
        && host.utf8.allSatisfy { isHexadecimal($0) || ":.".utf8.contains($0) }
    }
    let parts = host.split(separator: ".", omittingEmptySubsequences: false)
    return parts.count == 4
      && parts.allSatisfy { part in
        (1...3).contains(part.utf8.count) && part.utf8.allSatisfy(isDigit)
          && Int(part).map { $0 <= 255 } == true
      }
  }

  /// Returns whether a host is a numeric address, or a name as browsers send it.
  package static func isHost(_ host: String) -> Bool {
    if host.contains(":") { return isNumeric(host) }
    return !host.isEmpty
      && host.utf8.allSatisfy { byte in
        isDigit(byte) || (UInt8(ascii: "a")...UInt8(ascii: "z")).contains(byte | 0x20)
          || "-._".utf8.contains(byte)
      }
  }

  private static func isDigit(_ byte: UInt8) -> Bool {
    byte >= UInt8(ascii: "0") && byte <= UInt8(ascii: "9")
  }

  private static func isHexadecimal(_ byte: UInt8) -> Bool {
    switch byte {
    case UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "a")...UInt8(ascii: "f"),
      UInt8(ascii: "A")...UInt8(ascii: "F"):
      true
    default: false
    }
  }
}
