import AacornSystem

/// Functions that parse the target of a request (RFC 9112 3.2).
enum HTTPTarget {
  /// Returns the components of a target's path without its query, or nil if the path must be
  /// rejected.
  ///
  /// No accepted path leads out of a folder: each component is decoded separately and once. It is
  /// then rejected if it contains a path separator of any system, or names a parent folder.
  static func components(of target: String) -> [String]? {
    var rest = Substring(target)
    // A client that treats us as a proxy sends the complete address (RFC 9112 3.2.2).
    for scheme in ["http://", "https://"] where rest.lowercased().hasPrefix(scheme) {
      let afterScheme = rest.dropFirst(scheme.count)
      rest = afterScheme.firstIndex(of: "/").map { afterScheme[$0...] } ?? "/"
      break
    }
    guard rest.utf8.first == UInt8(ascii: "/") else { return nil }
    var components: [String] = []
    for part in rest.utf8.split(separator: UInt8(ascii: "/")) {
      guard let bytes = PercentCoding.decode(part), let text = String(utf8: bytes),
        text != ".", text != "..", !bytes.contains(where: isForbidden)
      else { return nil }
      components.append(text)
    }
    return components
  }

  /// Returns the host and port of a target that is a complete address, or nil if it is a path.
  static func authority(of target: String) -> Substring? {
    guard let scheme = ["http://", "https://"].first(where: target.lowercased().hasPrefix) else {
      return nil
    }
    return target.dropFirst(scheme.count).prefix { $0 != "/" && $0 != "?" }
  }

  private static func isForbidden(_ byte: UInt8) -> Bool {
    byte < 0x20 || byte == 0x7F || byte == UInt8(ascii: "/") || byte == UInt8(ascii: "\\")
  }
}
