/// Where a sound is on the web.
struct HTTPAddress: Equatable, Sendable {
  /// Whether it is `https`.
  var isSecure: Bool
  /// The name or number of the server, without brackets.
  var host: String
  var port: Int
  /// Path and query, as they are sent.
  var target: String

  /// An address such as `https://radio.example:8443/live?x=1`; nil if it is none.
  init?(_ text: String) {
    let bytes = Array(text.utf8)
    // Spaces and controls would end the line that the address is sent in.
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
    let place = rest[..<end]
    let path = rest[end...].prefix { $0 != "#" }
    target = path.hasPrefix("/") ? String(path) : "/" + String(path)
    var name = place
    var port = isSecure ? 443 : 80
    // A number of version 6 has colons of its own.
    let closing = place.lastIndex(of: "]")
    if let colon = place.lastIndex(of: ":"), closing.map({ $0 < colon }) ?? true {
      guard let number = Int(place[place.index(after: colon)...]), (1...65_535).contains(number)
      else { return nil }
      port = number
      name = place[..<colon]
    }
    if name.hasPrefix("["), name.hasSuffix("]") { name = name.dropFirst().dropLast() }
    guard !name.isEmpty, name.utf8.allSatisfy(Self.isPlain) else { return nil }
    host = String(name)
    self.port = port
  }

  /// Letters, digits and what else names and numbers consist of; nothing that leads elsewhere.
  private static func isPlain(_ byte: UInt8) -> Bool {
    switch byte {
    case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
      UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "."), UInt8(ascii: "-"),
      UInt8(ascii: "_"), UInt8(ascii: ":"):
      true
    default: byte >= 0x80
    }
  }

  /// Host and port as they are sent and shown.
  var place: String {
    let name = host.utf8.contains(UInt8(ascii: ":")) ? "[\(host)]" : host
    return port == (isSecure ? 443 : 80) ? name : "\(name):\(port)"
  }

  /// The server alone, as libcurl is asked for it.
  var server: String {
    let name = host.utf8.contains(UInt8(ascii: ":")) ? "[\(host)]" : host
    return "\(isSecure ? "https" : "http")://\(name):\(port)"
  }

  /// The whole address, as people write it.
  var text: String { "\(isSecure ? "https" : "http")://\(place)\(target)" }

  /// Where an answer or a list leads that says where the sound is instead; nil if that is no address
  /// of the web.
  func following(_ location: String) -> HTTPAddress? {
    if let address = HTTPAddress(location) { return address }
    if Self.hasScheme(location) { return nil }
    if location.hasPrefix("//") {
      return HTTPAddress((isSecure ? "https:" : "http:") + location)
    }
    let reference = location.prefix { $0 != "#" }
    let path = target.prefix { $0 != "?" }
    let next: String
    if reference.isEmpty {
      next = target
    } else if reference.hasPrefix("?") {
      next = String(path) + reference
    } else if reference.hasPrefix("/") {
      next = String(reference)
    } else {
      let folder = path.lastIndex(of: "/").map { path[...$0] } ?? "/"
      next = String(folder) + reference
    }
    return HTTPAddress(server + Self.withoutDots(next))
  }

  /// Whether it begins like `ftp:`, whatever that may be (RFC 3986, section 3.1).
  private static func hasScheme(_ location: String) -> Bool {
    guard let end = location.firstIndex(where: { ":/?#".contains($0) }), location[end] == ":" else {
      return false
    }
    return location.first?.isLetter == true
  }

  /// A path without `.` and `..` (RFC 3986, section 5.2.4), and the query behind it.
  private static func withoutDots(_ target: String) -> String {
    let path = target.prefix { $0 != "?" }
    let parts = path.split(separator: "/", omittingEmptySubsequences: false)
    var kept: [Substring] = []
    for (index, part) in parts.enumerated() {
      let isDots = part == "." || part == ".."
      // What is before the first slash, which is nothing, stays.
      if part == "..", kept.count > 1 { kept.removeLast() }
      if !isDots {
        kept.append(part)
      } else if index == parts.count - 1 {
        kept.append("")
      }
    }
    return kept.joined(separator: "/") + target[path.endIndex...]
  }
}
