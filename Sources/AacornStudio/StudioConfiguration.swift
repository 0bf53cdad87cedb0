public import AacornNetwork
import AacornSystem

/// The address of a studio, its clients and its folder.
public struct StudioConfiguration: Sendable {
  /// The folder with the recordings.
  ///
  /// A missing folder is created for its owner only.
  public var folder: String
  /// The port or socket on which the studio listens.
  public var endpoint: StudioEndpoint
  /// The clients that the studio admits.
  ///
  /// By default, clients need a token that is new at each start.
  public var access: StudioAccess
  /// The addresses at which a proxy makes the studio reachable, such as `https://studio.example`.
  ///
  /// Requests for host names other than these and the studio's own are rejected.
  public var proxyURLs: [String]

  /// Creates a configuration; by default, the studio is reachable from this machine only.
  public init(
    folder: String, endpoint: StudioEndpoint = .port(0), access: StudioAccess = .newToken,
    proxyURLs: [String] = []
  ) {
    self.folder = folder
    self.endpoint = endpoint
    self.access = access
    self.proxyURLs = proxyURLs
  }
}

/// The port or socket on which a studio listens.
public enum StudioEndpoint: Sendable, Equatable {
  /// A port, 0 for any free one, at a numeric address of this machine.
  ///
  /// Other machines cannot reach `127.0.0.1` and `::1`.
  case port(Int, address: String = "127.0.0.1")
  /// A Unix socket at this path, accessible only to the user who runs the studio, for a proxy.
  case socket(String)

  /// Whether other machines can reach the studio.
  package var isOpenToOthers: Bool {
    switch self {
    case .port(_, let address): !HostAddress.isLoopback(address)
    case .socket: false
    }
  }
}

/// The clients that a studio admits.
public enum StudioAccess: Sendable, Equatable {
  /// Browsers and programs that present this token, and browsers with a one-time code.
  case token(String)
  /// Every client that can reach the studio. If the studio listens only on this machine, these are
  /// all users of the machine and their programs.
  case unrestricted

  /// A new token of 128 random bits.
  public static var newToken: StudioAccess { .token(RandomIdentifier.make(byteCount: 16)) }

  /// The token; nil if every client is admitted.
  public var token: String? {
    switch self {
    case .token(let token): token
    case .unrestricted: nil
    }
  }

  /// The minimum number of characters in a token.
  public static let minTokenLength = 16

  /// Throws if a token is short enough to be guessed, or cannot be sent by browsers.
  public func check() throws(NetworkError) {
    guard let token else { return }
    let hint = "“openssl rand -hex 16” generates a good token."
    if token.isEmpty {
      throw NetworkError(
        .unsupported, "The token of the studio is empty, so anyone could guess it. \(hint)")
    }
    if token.count < Self.minTokenLength {
      throw NetworkError(
        .unsupported,
        "The token of the studio has fewer than \(Self.minTokenLength) characters, and could be"
          + " guessed. \(hint)")
    }
    // The token is sent in headers, which cannot contain control characters.
    if token.unicodeScalars.contains(where: { $0.properties.generalCategory == .control }) {
      throw NetworkError(
        .unsupported,
        "The token of the studio has several lines, or contains control characters. \(hint)")
    }
  }
}

/// An address at which a proxy makes the studio reachable.
package struct ProxyAddress: Sendable, Equatable {
  private let endpoint: NetworkEndpoint

  /// Parses an address such as `https://studio.example/`; throws if it is invalid.
  package init(_ text: String) throws(NetworkError) {
    let lowercase = text.lowercased()
    guard lowercase.hasPrefix("https://") || lowercase.hasPrefix("http://") else {
      throw Self.error(text, "it begins with neither https:// nor http://")
    }
    let url = ServerURL(lowercase)
    if let url, !["", "/"].contains(url.target) {
      throw Self.error(text, "the studio needs its own host name, and cannot be below a path")
    }
    guard let url, url.user == nil, let endpoint = try? url.endpoint(),
      HostAddress.isHost(endpoint.host)
    else {
      throw Self.error(text, "its host name is missing or not valid in browsers")
    }
    self.endpoint = endpoint
  }

  /// Whether browsers connect to the proxy over HTTPS.
  var isSecure: Bool { endpoint.isSecure }

  /// The host as browsers send it, with its port unless it is the default port.
  var host: String { endpoint.authority }

  /// The origin that browsers send for pages from this address (RFC 6454).
  var origin: String { "\(endpoint.webScheme.rawValue)://\(host)" }

  /// The URL of the studio's page at the proxy.
  package var url: String { origin + "/" }

  /// Whether a request for this host came through the proxy.
  func isAsked(by host: String) -> Bool {
    [self.host, "\(self.host):\(endpoint.webScheme.port)"].contains(host.lowercased())
  }

  private static func error(_ text: String, _ reason: String) -> NetworkError {
    NetworkError(
      .unsupported,
      "“\(HTTPRequest.printable(text))” cannot be an address of the studio: \(reason)."
        + " Give one such as https://studio.example/.")
  }
}

/// Creates unguessable names.
enum RandomIdentifier {
  /// Returns `byteCount` random bytes in lowercase hexadecimal.
  static func make(byteCount: Int) -> String {
    var generator = SystemRandomNumberGenerator()
    var text = ""
    for _ in 0..<byteCount {
      text += hexadecimal(UInt32(UInt8.random(in: .min ... .max, using: &generator)), digits: 2)
    }
    return text
  }

  /// Whether a byte is a digit of such a name.
  static func isDigit(_ byte: UInt8) -> Bool {
    byte.isDigit || (UInt8(ascii: "a")...UInt8(ascii: "f")).contains(byte)
  }
}
