import AacornSystem

/// The host names and addresses that belong only to private networks or to this computer.
///
/// Other names can lead to private addresses, too. Such addresses are detected after connecting.
package enum PrivateHosts {
  /// Returns whether a host is private, according to its name or numeric address.
  package static func contain(_ host: String) -> Bool {
    var name = host.lowercased()
    if name.hasSuffix(".") { name.removeLast() }
    if name == "localhost" || name.hasSuffix(".localhost") || name.hasSuffix(".local") {
      return true
    }
    if name.utf8.contains(UInt8(ascii: ":")) { return isPrivate6(name) }
    return isPrivate4(name)
  }

  /// Returns whether a server at an address of 4 or 16 bytes is private; true without bytes, as for
  /// a socket file.
  static func contain(_ address: [UInt8]) -> Bool {
    address.isEmpty || contain(System.addressText(address))
  }

  /// Returns whether an IPv4 address is unspecified, private, shared, loopback or link-local (RFC
  /// 6890, section 2.2.2).
  ///
  /// Systems also accept other notations, such as 127.1, 0177.0.0.1 and 0x7F000001. Pages on the
  /// internet have no reason to use these, so all of them are treated as private.
  private static func isPrivate4(_ name: some StringProtocol) -> Bool {
    let parts = name.split(separator: ".", omittingEmptySubsequences: false)
    guard let last = parts.last,
      last.hasPrefix("0x") || !last.isEmpty && last.utf8.allSatisfy(\.isDigit)
    else { return false }
    let numbers = parts.map { $0.count > 1 && $0.hasPrefix("0") ? nil : UInt8($0) }
    guard numbers.count == 4, let first = numbers[0], let second = numbers[1], numbers[2] != nil,
      numbers[3] != nil
    else { return true }
    return isPrivate4(first, second)
  }

  private static func isPrivate4(_ first: UInt8, _ second: UInt8) -> Bool {
    switch (first, second) {
    case (0, _), (10, _), (127, _), (100, 64...127), (169, 254), (172, 16...31), (192, 168): true
    default: false
    }
  }

  /// Returns whether an IPv6 address is unspecified, private, loopback or link-local (RFC 6890,
  /// section 2.2.3).
  private static func isPrivate6(_ name: String) -> Bool {
    let last = name.split(separator: ":").last ?? ""
    // An IPv4 address inside an IPv6 address.
    if last.contains(".") { return isPrivate4(last) }
    guard let groups = groups(of: name) else { return false }
    let isShort = groups[..<5].allSatisfy { $0 == 0 }
    if isShort, groups[5] == 0, groups[6] == 0, groups[7] <= 1 { return true }
    // An IPv4 address in hexadecimal digits (RFC 4291, section 2.5.5, and RFC 6052, section 2.1).
    let isTranslated =
      groups[0] == 0x64 && groups[1] == 0xFF9B && groups[2..<6].allSatisfy { $0 == 0 }
    if isShort && (groups[5] == 0 || groups[5] == 0xFFFF) || isTranslated {
      return isPrivate4(UInt8(groups[6] >> 8), UInt8(groups[6] & 0xFF))
    }
    return groups[0] & 0xFE00 == 0xFC00 || groups[0] & 0xFFC0 == 0xFE80
  }

  /// Returns the eight groups of an IPv6 address, or nil if they are not hexadecimal numbers.
  private static func groups(of name: String) -> [UInt16]? {
    let texts = name.split(separator: ":", omittingEmptySubsequences: false)
    // “::” stands for all missing zeros. At an end of the address it yields two empty texts.
    let present = texts.filter { !$0.isEmpty }
    let zeros = [UInt16](repeating: 0, count: max(0, 8 - present.count))
    let front = texts.firstIndex { $0.isEmpty } ?? texts.count
    let numbers = present.compactMap { UInt16($0, radix: 16) }
    let groups = numbers.prefix(front) + zeros + numbers.dropFirst(front)
    return numbers.count == present.count && groups.count == 8 ? Array(groups) : nil
  }
}
