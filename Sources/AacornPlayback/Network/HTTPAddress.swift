import AacornNetwork
import AacornRecording
import AacornSystem

/// The address of an audio stream or file on the web.
struct HTTPAddress: Equatable, Sendable {
  /// The server.
  let endpoint: NetworkEndpoint
  /// The path and the query, as sent.
  let target: String
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
    // The fragment is not for the server. A zone of an IPv6 address is rejected, because redirects
    // into private networks are recognized by the address.
    guard let url = ServerURL(String(text.prefix { $0 != "#" })), url.user == nil,
      url.scheme == .http || url.scheme == .https, let endpoint = try? url.endpoint(),
      !endpoint.host.contains("%")
    else { return nil }
    self.endpoint = endpoint
    target = (url.target.hasPrefix("/") ? "" : "/") + url.target
    isPrivate = PrivateHosts.contain(endpoint.host)
  }

  /// Whether the scheme is `https`.
  var isSecure: Bool { endpoint.isSecure }

  /// The host and port as sent and displayed, without the default port.
  var authority: String { endpoint.authority }

  /// The address of the server without the path.
  var server: String { "\(endpoint.webScheme.rawValue)://\(endpoint)" }

  /// The complete address, for display.
  var text: String { "\(endpoint.webScheme.rawValue)://\(authority)\(target)" }

  /// Returns the error for a server that cannot be read from.
  func failure(
    _ reason: String, _ recoverySuggestion: String = "Check the address and the network."
  ) -> AACFileError {
    AACFileError(
      .cannotRead, "Cannot read from the server \(displayed(authority)): \(displayed(reason)).",
      suggestion: .text(recoverySuggestion))
  }
}

extension HTTPAddress {
  /// The reason for a request to another address, as the beginning of an error message.
  enum Guide: String {
    /// A response that redirects to another address.
    case response = "it"
    /// A list of addresses, variants or segments.
    case playlist = "its playlist"
  }

  /// Returns the address at `location`, to which a response or a playlist of this address leads.
  ///
  /// - Throws: An error if `location` is not a web address, drops encryption, or leads from the
  ///   internet into a private network.
  func next(_ location: String?, by guide: Guide) throws(AACFileError) -> HTTPAddress {
    let guide = guide.rawValue
    guard var next = location.flatMap(following) else {
      throw failure("\(guide) does not lead to a web address")
    }
    let recoverySuggestion = "Play that address directly if you trust it."
    // Reject the change from https to http: an attacker between this computer and the server could
    // replace the audio.
    if isSecure, !next.isSecure {
      throw failure("\(guide) leads to an unencrypted address, \(next.text)", recoverySuggestion)
    }
    // Reject an address in a private network: otherwise a server on the internet could reach hosts
    // that only this computer can reach.
    if !isPrivate, next.isPrivate {
      throw failure(
        "\(guide) leads to an address in a private network, \(next.text)", recoverySuggestion)
    }
    next.mayBePrivate = isPrivate
    return next
  }

  /// Returns the address at `location`, which may be relative to this one, or nil if it is not a
  /// web address.
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

  /// Returns whether a location begins with a scheme, such as `ftp:` (RFC 3986, section 3.1).
  private static func hasScheme(_ location: String) -> Bool {
    guard let end = location.firstIndex(where: { ":/?#".contains($0) }), location[end] == ":" else {
      return false
    }
    return location.first?.isLetter == true
  }

  /// Returns a path without `.` and `..` (RFC 3986, section 5.2.4), with its query.
  private static func withoutDots(_ target: String) -> String {
    let path = target.prefix { $0 != "?" }
    let parts = path.split(separator: "/", omittingEmptySubsequences: false)
    var kept: [Substring] = []
    for (index, part) in parts.enumerated() {
      let isDots = part == "." || part == ".."
      // Keep the first part, which is the empty text before the first slash.
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
