import AacornWeb

extension NetworkEndpoint {
  /// The address of the place as a URL, which libcurl asks for; nil if it is invalid.
  ///
  /// Characters with a meaning in addresses are not accepted in a name, or a name could lead
  /// somewhere else than it says.
  var url: String? {
    let marks = "/\\?#@[]\"<>^`{|}%".unicodeScalars
    guard !host.isEmpty, (1...65535).contains(port) else { return nil }
    let isNumber = host.contains(":")
    // The zone of a link-local address, the one place where % may occur (RFC 6874, 2).
    let parts = host.split(separator: "%", maxSplits: 1, omittingEmptySubsequences: false)
    guard parts.count == 1 || isNumber else { return nil }
    for part in parts {
      let isName = part.unicodeScalars.allSatisfy { mark in
        mark.value > 0x20 && mark.value != 0x7F && !marks.contains(mark)
      }
      if part.isEmpty || !isName { return nil }
    }
    let name = isNumber ? "[" + parts.joined(separator: "%25") + "]" : host
    return "\(isSecure ? "https" : "http")://\(name):\(port)"
  }
}
