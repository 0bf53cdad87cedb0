/// The host names and numeric addresses of private networks and of this computer.
///
/// Other host names can have private addresses, too. For them, the connection determines that.
enum PrivateHosts {
  /// Returns whether a host is private, if its name or numeric address shows that.
  static func contain(_ host: String) -> Bool {
    var name = host.lowercased()
    if name.hasSuffix(".") { name.removeLast() }
    if name == "localhost" || name.hasSuffix(".localhost") || name.hasSuffix(".local") {
      return true
    }
    if name.utf8.contains(UInt8(ascii: ":")) { return isPrivate6(name) }
    return isPrivate4(name)
  }

  /// Returns whether an IPv4 address is unspecified, private, shared, of this computer or of its link (RFC 6890,
  /// section 2.2.2).
  private static func isPrivate4(_ name: String) -> Bool {
    let parts = name.split(separator: ".", omittingEmptySubsequences: false).map { UInt8($0) }
    guard parts.count == 4, let first = parts[0], let second = parts[1], parts[2] != nil,
      parts[3] != nil
    else { return false }
    return switch (first, second) {
    case (0, _), (10, _), (127, _), (100, 64...127), (169, 254), (172, 16...31), (192, 168): true
    default: false
    }
  }

  /// Returns whether an IPv6 address is unspecified, private, of this computer or of its link (RFC 6890, section
  /// 2.2.3).
  private static func isPrivate6(_ name: String) -> Bool {
    if name == "::" || name == "::1" { return true }
    // An IPv4 address inside an IPv6 address.
    if name.hasPrefix("::"), let last = name.split(separator: ":").last, last.contains(".") {
      return isPrivate4(String(last))
    }
    guard let group = UInt16(name.prefix { $0 != ":" }, radix: 16) else { return false }
    return group & 0xFE00 == 0xFC00 || group & 0xFFC0 == 0xFE80
  }
}
