import AacornNetwork

/// The address of an audio stream or file on the web.
struct HTTPAddress: Equatable, Sendable {
  /// Whether the scheme is `https`.
  var isSecure: Bool
  /// The host name or numeric address, without brackets.
  var host: String
  var port: Int
  /// The path and the query, as sent.
  var target: String
  /// Whether the server is known to be in a private network or to be this computer.
  var isPrivate = false
  /// Whether the server is allowed to be in a private network: true for an address from the user.
  var mayBePrivate = true

  /// Parses an address such as `https://radio.example:8443/live?x=1`.
  ///
  /// Returns nil if it is invalid.
  init?(_ text: String) {
    let bytes = Array(text.utf8)
    // Spaces and control characters would end the request line.
    guard bytes.count <= 8192, bytes.allSatisfy({ $0 > 0x20 && $0 != 0x7F }) else { return nil }
    let rest: Substring
    let small = text.prefix(8).lowercased()
    if small == "https://" {
      isSecure = true
      rest = text.dropFirst(8)
    } else if small.hasPrefix("http://") {
      isSecure = false
      rest = text.dropFirst(7)
    } else {
      return nil
    }
    let end = rest.firstIndex { $0 == "/" || $0 == "?" || $0 == "#" } ?? rest.endIndex
    let authority = rest[..<end]
    let path = rest[end...].prefix { $0 != "#" }
    target = path.hasPrefix("/") ? String(path) : "/" + String(path)
    var name = authority
    var port = isSecure ? 443 : 80
    // A numeric IPv6 address contains colons, too.
    let closing = authority.lastIndex(of: "]")
    if let colon = authority.lastIndex(of: ":"), closing.map({ $0 < colon }) ?? true {
      guard let number = Int(authority[authority.index(after: colon)...]),
        (1...65_535).contains(number)
      else { return nil }
      port = number
      name = authority[..<colon]
    }
    if name.hasPrefix("["), name.hasSuffix("]") { name = name.dropFirst().dropLast() }
    guard !name.isEmpty, name.utf8.allSatisfy(Self.isHostByte) else { return nil }
    host = String(name)
    self.port = port
    isPrivate = PrivateHosts.contain(host)
  }

  /// Returns whether a byte may be part of a host name or a numeric address.
  private static func isHostByte(_ byte: UInt8) -> Bool {
    switch byte {
    case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
      UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "."), UInt8(ascii: "-"),
      UInt8(ascii: "_"), UInt8(ascii: ":"):
      true
    default: byte >= 0x80
    }
  }

  /// The server.
  var endpoint: NetworkEndpoint { NetworkEndpoint(host: host, port: port, isSecure: isSecure) }

  /// The host and port as sent and displayed, without the default port.
  var authority: String { endpoint.authority }

  /// The address of the server without the path.
  var server: String { "\(isSecure ? "https" : "http")://\(endpoint.description)" }

  /// The complete address, for display.
  var text: String { "\(isSecure ? "https" : "http")://\(authority)\(target)" }
}
